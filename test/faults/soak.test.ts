import assert from 'node:assert/strict';
import { growthOf, leaksOf, type Growth } from '../support/soak/growth.js';
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
      asked(200, [10_500, told('MongoDB')], [22_001, told('MongoDB')]),
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
  const minuteMs = 60_000;
  /** A sample every minute of a process that is measured for so many hours. */
  const over = (hours: number, name: string, valueAt: (hour: number) => number): Growth[] =>
    growthOf(
      Array.from({ length: 60 * hours + 1 }, (_, n) => ({
        at: n * minuteMs,
        figures: { [name]: valueAt(n / 60) },
      })),
    );

  it('is by the medians of the first and last third of its second half, for an hour', () => {
    const late = [1, 2, 900, 3, 3, 3, 4, 0, 5];
    const samples = [...late.map(() => 700), ...late].map((value, n) => ({
      at: 10 * n * minuteMs,
      figures: { 'a figure': value, ...(n > 15 ? { 'just begun': 1 } : {}) },
    }));
    const [growth, ...others] = growthOf(samples);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...growth, perHour: Math.round(growth.perHour) },
      { name: 'a figure', from: 2, to: 4, perHour: 2, hours: 80 / 60 },
    );
  });

  it('of a heap is by the least of a third, which a collection has left', () => {
    const [growth] = over(2, 'gateway 1: heap, MB', (hour) => 60 + ((hour * 60) % 7) * 5);
    assert.deepEqual([growth.from, growth.to], [60, 60]);
  });

  const memory = 'compute 1: memory without candles and young objects, MB';
  const heap = 'compute 1: heap, MB';

  it('is no leak while a cache fills, it varies, or it is seen for less than half an hour', () => {
    const fills = (hour: number) => 157 + 51 * (1 - Math.exp(-hour / 0.3));
    const steps = (hour: number) => (hour < 1.2 ? 157 : 172);
    for (const rows of [
      over(1.5, memory, fills),
      over(1.5, memory, steps),
      over(1.5, heap, (hour) => 60 + hour),
      over(0.9, heap, (hour) => 60 + 30 * hour),
      over(24, heap, (hour) => 60 + hour),
      over(3, 'MongoDB: backtests', (hour) => 1_000 * hour),
    ])
      assert.deepEqual(leaksOf(rows), []);
  });

  it('is a leak where a process that goes on like this meets its limit within a week', () => {
    for (const rows of [
      over(1.5, heap, (hour) => 60 + 7 * hour),
      over(1.5, memory, (hour) => 157 + 40 * hour),
      over(12, memory, (hour) => 157 + 9 * hour),
      over(1.5, 'gateway 1: handles', (hour) => 40 + 20 * hour),
    ])
      assert.deepEqual(leaksOf(rows), rows);
  });
});
