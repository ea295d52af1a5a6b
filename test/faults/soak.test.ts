import assert from 'node:assert/strict';
import { growthOf, leaksOf } from '../support/soak/growth.js';
import { judgeRequests, type Outage } from '../support/soak/judge-requests.js';

describe('the requests of a soak', () => {
  const outages: Outage[] = [
    { name: 'MongoDB killed', server: 'MongoDB', from: 10_000, to: 12_000 },
    { name: 'kill -9 of the compute node', server: undefined, from: 60_000, to: 60_000 },
  ];
  const told = (server: string) => `{"message":"${server} does not answer; try again in a moment"}`;
  const asked = (status: number, ...refusals: [at: number, text: string][]) => ({
    ...{ what: 'chart', status, text: 'the answer', startedAt: 9_000, endedAt: 20_000 },
    refusals: refusals.map(([at, text]) => ({ at, text })),
  });
  const verdict = (request: ReturnType<typeof asked>) => {
    const { refused, failed } = judgeRequests([request], outages);
    return [refused, failed.length];
  };

  it('are answered, or refused for the server that is down and answered later; all others failed', () => {
    assert.deepEqual(verdict(asked(200)), [0, 0]);
    assert.deepEqual(verdict(asked(200, [10_500, told('MongoDB')], [13_000, told('MongoDB')])), [1, 0]);
    for (const request of [
      asked(500),
      asked(0),
      asked(503, [10_500, told('MongoDB')]),
      asked(200, [10_500, told('Redis')]),
      asked(200, [10_500, '{"message":"too many requests wait"}']),
      asked(200, [9_999, told('MongoDB')]),
      asked(200, [10_500, told('MongoDB')], [17_001, told('MongoDB')]),
      asked(200, [60_500, told('MongoDB')]),
    ])
      assert.deepEqual(verdict(request), [0, 1], JSON.stringify(request));
  });

  it('are told by fault', () => {
    const requests = [asked(200, [10_500, told('MongoDB')]), asked(200)];
    const row = { name: 'MongoDB killed', times: 1, asked: 2, refused: 1, longestMs: 11_000 };
    const other = { ...row, name: 'kill -9 of the compute node', asked: 0, refused: 0, longestMs: 0 };
    assert.deepEqual(judgeRequests(requests, outages).faults, [row, other]);
  });
});

describe('the growth of a figure', () => {
  it('is by the medians of its first and last third, for an hour', () => {
    const at = (minutes: number) => minutes * 60_000;
    const samples = [1, 2, 900, 3, 3, 3, 4, 0, 5].map((value, n) => ({
      at: at(10 * n),
      figures: { 'a figure': value, ...(n < 2 ? { 'gone soon': 1 } : {}) },
    }));
    const [growth, ...others] = growthOf(samples);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...growth, perHour: Math.round(growth.perHour) },
      { name: 'a figure', from: 2, to: 4, perHour: 2, hours: 80 / 60 },
    );
  });

  it('is a leak where memory or handles grow by a quarter after an hour', () => {
    const row = { name: 'gateway 1: memory, MB', from: 100, to: 126, perHour: 13, hours: 2 };
    const rows = [row, { ...row, to: 124 }, { ...row, hours: 0.9 }, { ...row, name: 'MongoDB: backtests' }];
    assert.deepEqual(leaksOf(rows), [row]);
  });
});
