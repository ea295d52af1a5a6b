import assert from 'node:assert/strict';
import { assertRefused, badValues, type BadRequest } from '../../../support/gateway/envelope.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { badSeriesFields } from '../../../support/candles/series-fields.js';

const path = '/backend/core-line/flip-intelligence';
const chartPath = '/backend/core-line/chart';

const bad: BadRequest[] = [
  ...badSeriesFields,
  ...badValues({ asset: 'BTC' }, 'limit', 'INVALID_INPUT_LIMIT', [0, -1, 1.5, 'five', 201, null, [5], {}]),
  ...['period', 'flips'].map((field) => ({
    what: `the unknown field ${field}`,
    body: { asset: 'BTC', [field]: 'x' },
    ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field },
  })),
];

interface Flip {
  date: string;
  from: string;
  to: string;
  close: number;
  conditions: { name: string; asks: string; held: boolean; value: number; threshold: number }[];
  explanation: string;
  outcome: {
    until: string | null;
    candles: number;
    close: number;
    change: number;
    highest: number;
    lowest: number;
  };
}

describe('POST /backend/core-line/flip-intelligence', () => {
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  const flipsOf = async (body: object): Promise<Flip[]> =>
    (await service.post(path, body)).payload.flips as Flip[];

  it('answers anybody with the state and the latest 20 flips', async () => {
    const body = { asset: 'BTC', interval: '4h' };
    const { status, headers, result, payload } = await service.post(path, body);
    assert.equal(status, 200);
    assert.deepEqual(result, { type: 'OPERATION_PERFORMED', ttl: 14_400 });
    assert.match(headers.get('cache-control') ?? '', /(^|[ ,])max-age=14400$/);
    assert.match(headers.get('etag') ?? '', /^W\/"[\w-]+"$/);
    const { flips, statistics, flipPrice, ...head } = payload;
    const chart = (await service.post(chartPath, body)).payload;
    assert.deepEqual(head, {
      asset: 'BTC',
      tradeMarket: 'USDT',
      interval: '4h',
      state: chart.state,
      color: chart.color,
      since: chart.since,
      price: chart.price,
      readingsDiffer: chart.readingsDiffer,
      source: 'csv',
      asOf: chart.asOf,
    });
    assert.equal(flips.length, 20);
    assert.equal(flips[0].date, head.since);
    assert.equal(flips[0].to, head.state);
    assert.deepEqual(
      statistics.durations.map((each: { state: string }) => each.state),
      ['accumulate', 'wait', 'distribute'],
    );
    assert.deepEqual([head.state, ...flipPrice.targets.map((target: { to: string }) => target.to)].sort(), [
      'accumulate',
      'distribute',
      'wait',
    ]);
    assert.ok(statistics.forwardReturns.every(({ count }: { count: number }) => count >= 0));
  });

  it('gives every flip with conditions, a sentence and what followed', async () => {
    for (const flip of await flipsOf({ asset: 'BTC', interval: '1h', limit: 200 })) {
      const { conditions, outcome } = flip;
      assert.deepEqual(Object.keys(flip).sort(), [
        ...['close', 'conditions', 'date', 'explanation', 'from', 'outcome', 'to'],
      ]);
      assert.equal(new Date(flip.date).toISOString(), flip.date);
      assert.deepEqual(
        conditions.map(({ name }) => name),
        ['band', 'slope', 'direction', 'strength', 'confirmation'],
      );
      for (const condition of conditions) {
        assert.deepEqual(Object.keys(condition).sort(), ['asks', 'held', 'name', 'threshold', 'value']);
        assert.ok(Number.isFinite(condition.value) && Number.isFinite(condition.threshold));
      }
      assert.match(flip.explanation, new RegExp(`^Turned from ${flip.from} to ${flip.to} at [^\n]+\\.$`));
      // Only a turn to wait may lack some of them.
      if (flip.to !== 'wait')
        assert.ok(
          conditions.every(({ held }) => held),
          flip.explanation,
        );
      assert.ok(outcome.highest >= outcome.close && outcome.lowest <= outcome.close);
      assert.ok(Math.abs(outcome.change - (outcome.close / flip.close - 1) * 100) < 1e-9);
    }
  });

  it('gives flips newest first, each where the one before it ended', async () => {
    const flips = await flipsOf({ asset: 'BTC', interval: '1h', limit: 200 });
    assert.equal(flips.length, 200);
    assert.equal(flips[0].outcome.until, null);
    for (let i = 1; i < flips.length; i++) {
      assert.ok(flips[i].date < flips[i - 1].date);
      assert.equal(flips[i].to, flips[i - 1].from);
      assert.equal(flips[i].outcome.until, flips[i - 1].date);
      assert.equal(flips[i].outcome.close, flips[i - 1].close);
      const hours = (Date.parse(flips[i - 1].date) - Date.parse(flips[i].date)) / 3_600_000;
      assert.equal(flips[i].outcome.candles, hours);
    }
  });

  it('names the changes that the states of the chart show', async () => {
    const body = { asset: 'BTC', interval: '1d', limit: 200 };
    const { payload } = await service.post(chartPath, { ...body, limit: 1_000 });
    const states = payload.states as { time: number; state: string }[];
    const changes = states.flatMap(({ time, state }, i) =>
      i > 0 && states[i - 1].state !== state
        ? [{ date: new Date(time * 1_000).toISOString(), from: states[i - 1].state, to: state }]
        : [],
    );
    const flips = await flipsOf(body);
    assert.ok(changes.length > 10);
    assert.deepEqual(
      flips.map(({ date, from, to }) => ({ date, from, to })),
      changes.reverse(),
    );
  });

  it('gives as many as asked for', async () => {
    const all = await flipsOf({ asset: 'BTC', interval: '1h', limit: 200 });
    assert.deepEqual(await flipsOf({ asset: 'BTC', interval: '1h', limit: 3 }), all.slice(0, 3));
  });

  it('answers without flips where no state is known yet', async () => {
    const { status, payload } = await service.post(path, { asset: 'NEW', interval: '1h' });
    assert.equal(status, 200);
    const { state, since, flipPrice, flips } = payload;
    assert.deepEqual([state, since, flipPrice, flips], [null, null, null, []]);
  });

  for (const { what, body, ...expected } of bad)
    it(`refuses ${what}`, async () => assertRefused(await service.post(path, body), expected, what));
});
