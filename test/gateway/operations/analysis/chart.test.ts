import assert from 'node:assert/strict';
import type { Candles } from '../../../../compute/model/candles.js';
import { assertRefused, badValues, type BadRequest } from '../../../support/gateway/envelope.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { Scrape } from '../../../support/servers/scrape.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { roundFigure } from '../../../../compute/model/round-figures.js';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { badSeriesFields } from '../../../support/candles/series-fields.js';

const path = '/backend/core-line/chart';
const seconds = { '1d': 86_400, '4h': 14_400, '1h': 3_600 } as const;
/** Section 2.2 of the interface. */
const colors: Record<string, string> = { accumulate: '#3ca691', wait: '#6B6588', distribute: '#B767DE' };

const bad: BadRequest[] = [
  ...badSeriesFields,
  ...badValues({ asset: 'BTC' }, 'limit', 'INVALID_INPUT_LIMIT', [
    0,
    -1,
    1.5,
    'five',
    1_001,
    null,
    [5],
    true,
  ]),
  ...['1e400', '9007199254740993'].map((limit) => ({
    what: `limit ${limit}`,
    body: `{"asset":"BTC","limit":${limit}}`,
    ...{ status: 400, type: 'INVALID_INPUT_LIMIT', field: 'limit' },
  })),
  ...['period', 'Asset', 'email', '$where'].map((field) => ({
    what: `the unknown field ${field}`,
    body: { asset: 'BTC', [field]: 'x' },
    ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field },
  })),
];

interface Point {
  time: number;
  value: number;
}

describe('POST /backend/core-line/chart', () => {
  let service: TestService;
  let btc: Candles;

  before(async () => {
    ({ service, btc } = await openTestMarket({ measured: true }));
  });
  after(() => service.close());

  it('answers anybody with state, colour and the series', async () => {
    const { status, result, payload } = await service.post(path, { asset: 'BTC', interval: '1h' });
    assert.equal(status, 200);
    assert.deepEqual(result, { type: 'OPERATION_PERFORMED', ttl: 3_600 });
    const { candles, line, upper, lower, states, state, color, since, readingsDiffer, ...rest } = payload;
    const last = btc.time.length - 1;
    assert.deepEqual(rest, {
      asset: 'BTC',
      tradeMarket: 'USDT',
      interval: '1h',
      price: btc.close[last],
      source: 'csv',
      asOf: new Date(btc.time[last] + 3_600_000).toISOString(),
      missingCandles: 0,
    });
    assert.equal(color, colors[state]);
    assert.match(readingsDiffer, new RegExp(`^structure: ${state}, because .*; momentum: `));
    assert.deepEqual(Object.keys(payload), [
      ...[
        'asset',
        'tradeMarket',
        'interval',
        'state',
        'color',
        'since',
        'price',
        'readingsDiffer',
        'source',
        'asOf',
        'missingCandles',
      ],
      ...['candles', 'line', 'upper', 'lower', 'states'],
    ]);
    for (const series of [candles, line, upper, lower, states]) assert.equal(series.length, 500);
    assert.equal(new Date(since).toISOString(), since);
    assert.ok(Date.parse(since) <= btc.time[last]);
  });

  it('scrolls back, page by page, over the whole history and no candle twice', async () => {
    const asked = { asset: 'BTC', interval: '1h' };
    const newest = (await service.post(path, { ...asked, limit: 1_000 })).payload;
    const pages: Record<'candles' | 'line' | 'states', Point[]>[] = [];
    for (let before = newest.candles[500].time; ; before = pages[0].candles[0].time) {
      const { status, payload } = await service.post(path, { ...asked, limit: 400, before: String(before) });
      assert.equal(status, 200);
      assert.deepEqual(
        [payload.state, payload.price, payload.asOf],
        [newest.state, newest.price, newest.asOf],
      );
      pages.unshift(payload);
      if (payload.candles.length < 400) break;
    }
    const all = (name: 'candles' | 'line' | 'states') => pages.flatMap((page) => page[name]);
    const times = all('candles').map(({ time }) => time);
    assert.deepEqual(
      times,
      [...btc.time].map((ms) => ms / 1_000).filter((at) => at < newest.candles[500].time),
    );
    // What is stored with the newest candles is what was drawn before.
    const overlap = times.filter((at) => at >= newest.candles[0].time);
    for (const name of ['candles', 'line', 'states'] as const) {
      const expected = (newest[name] as Point[]).filter(({ time }) => time < newest.candles[500].time);
      assert.deepEqual(all(name).slice(-overlap.length), expected);
    }
    const { candles } = (await service.post(path, { ...asked, before: '2001-01-01' })).payload;
    assert.deepEqual(candles, []);
  });

  it('gives the stored candles, ascending, each time once, in seconds', async () => {
    const { payload } = await service.post(path, { asset: 'BTC', interval: '1h', limit: 300 });
    const from = btc.time.length - 300;
    const expected = Array.from({ length: 300 }, (_, i) => ({
      time: btc.time[from + i] / 1_000,
      open: btc.open[from + i],
      high: btc.high[from + i],
      low: btc.low[from + i],
      close: btc.close[from + i],
      volume: btc.volume[from + i],
    }));
    assert.deepEqual(payload.candles, expected);
    for (const name of ['candles', 'line', 'upper', 'lower', 'states']) {
      const times = (payload[name] as Point[]).map(({ time }) => time);
      assert.ok(
        times.every((time, i) => Number.isInteger(time) && (i === 0 || time > times[i - 1])),
        name,
      );
    }
  });

  for (const interval of ['1d', '4h', '1h'] as const) {
    it(`lines up line, band and states of ${interval} with the candles`, async () => {
      const { payload } = await service.post(path, { asset: 'BTC', interval, limit: 1_000 });
      const { candles, line, upper, lower, states } = payload as Record<string, Point[]>;
      const step = seconds[interval];
      assert.ok(candles.every(({ time }) => time % step === 0));
      const all = candles.map(({ time }) => time);
      const times = (points: Point[]) => points.map(({ time }) => time);
      // 1d: all 500 candles from the first on, so the warm-ups of spec/core-line.md show; else it lies further back.
      const [lineFrom, bandFrom, stateFrom] = interval === '1d' ? [10, 14, 60] : [0, 0, 0];
      assert.deepEqual(times(line), all.slice(lineFrom));
      assert.deepEqual(times(upper), all.slice(bandFrom));
      assert.deepEqual(times(lower), all.slice(bandFrom));
      assert.deepEqual(times(states), all.slice(stateFrom));
      upper.forEach(({ value }, i) => {
        const middle = line[i + bandFrom - lineFrom].value;
        assert.ok(value > middle && lower[i].value < middle);
        // Figures of answers have 12 digits.
        assert.ok(Math.abs((value + lower[i].value) / 2 / middle - 1) < 1e-11);
      });
      const drawn = payload.states as { state: string; color: string; time: number }[];
      for (const each of drawn) {
        assert.deepEqual(Object.keys(each), ['time', 'state', 'color']);
        assert.equal(each.color, colors[each.state]);
      }
      assert.deepEqual([...new Set(drawn.map((each) => each.state))].sort(), Object.keys(colors).sort());
      const { state } = drawn[drawn.length - 1];
      assert.equal(payload.state, state);
      const began = drawn.findLastIndex((each) => each.state !== state) + 1;
      if (began > 0) assert.equal(Date.parse(payload.since), drawn[began].time * 1_000);
    });

    it(`stays valid for one candle of ${interval} where time stands still`, async () => {
      const { result, headers } = await service.post(path, { asset: 'BTC', interval });
      assert.equal(result.ttl, seconds[interval]);
      assert.match(headers.get('cache-control') ?? '', new RegExp(`(^|[ ,])max-age=${seconds[interval]}$`));
      assert.match(headers.get('etag') ?? '', /^W\/"[\w-]+"$/);
    });
  }

  it('takes 1d, USDT and 500 candles unless told otherwise', async () => {
    const [short, long] = [
      await service.post(path, { asset: 'BTC' }),
      await service.post(path, { asset: 'BTC', interval: '1d', tradeMarket: 'USDT', limit: 500 }),
    ];
    assert.deepEqual(short.payload, long.payload);
    assert.equal(short.payload.interval, '1d');
    assert.equal(short.headers.get('etag'), long.headers.get('etag'));
  });

  it('keeps pairs of one asset apart', async () => {
    const [usdt, inBtc] = [
      await service.post(path, { asset: 'ETH', interval: '1h' }),
      await service.post(path, { asset: 'ETH', interval: '1h', tradeMarket: 'BTC' }),
    ];
    assert.equal(inBtc.payload.tradeMarket, 'BTC');
    assert.notEqual(inBtc.payload.price, usdt.payload.price);
    assert.notEqual(inBtc.headers.get('etag'), usdt.headers.get('etag'));
  });

  it('has no state, and says so with null, before there are 61 candles', async () => {
    const { status, payload } = await service.post(path, { asset: 'NEW', interval: '1h' });
    assert.equal(status, 200);
    const { state, color, since, candles, line, upper, lower, states } = payload;
    assert.deepEqual({ state, color, since }, { state: null, color: null, since: null });
    assert.deepEqual([candles.length, line, upper, lower, states], [5, [], [], [], []]);
  });

  it('computes a series once and reads it from then on', async () => {
    const timings: (string | null)[] = [];
    for (let n = 0; n < 2; n++) {
      const { headers } = await service.post(path, { asset: 'ETH', interval: '4h', tradeMarket: 'BTC' });
      timings.push(headers.get('server-timing'));
    }
    assert.match(timings[0] ?? '', /^queue;dur=[\d.]+, candles;dur=[\d.]+, compute;dur=[\d.]+$/);
    assert.equal(timings[1], null);
  });

  it('follows candles that arrive', async () => {
    const pair = { market: 'csv', base: 'GROW', quote: 'USDT' } as const;
    const candles = randomCandles(200, { seed: 5 });
    const first = 150;
    const cut = Object.fromEntries(
      Object.entries(candles).map(([name, column]) => [name, column.slice(0, first)]),
    );
    await service.storage.candles.add(pair, cut as Candles);
    const before = await service.post(path, { asset: 'GROW', interval: '1h' });
    assert.equal(before.payload.candles.length, first);
    await service.storage.candles.add(pair, candles);
    const after = await service.post(path, { asset: 'GROW', interval: '1h' });
    assert.equal(after.payload.candles.length, 200);
    assert.equal(after.payload.price, roundFigure(candles.close[199]));
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
    // Causality: what was said of the first candles stands.
    const [earlier, later] = [before.payload.states, after.payload.states] as Point[][];
    assert.deepEqual(later.slice(0, earlier.length), earlier);
  });

  it('answers 40 callers of a series that nobody asked for yet alike, from few reads', async () => {
    const body = { asset: 'ETH', interval: '1d', limit: 50 };
    const reads = async () => {
      const scrape = new Scrape(await service.metrics.gateway.registry.metrics());
      return scrape.sum('tidemark_round_trip_seconds_count', { command: 'find' });
    };
    const first = await reads();
    await service.post(path, { ...body, interval: '4h' });
    const before = await reads();
    const answers = await Promise.all(Array.from({ length: 40 }, () => service.post(path, body)));
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200).map(({ payload }) => payload.message as string),
      [],
    );
    assert.equal(new Set(answers.map(({ payload }) => JSON.stringify(payload))).size, 1);
    const read = (await reads()) - before;
    // How many are under way at the same time is the machine's affair; 40 apart would read 40 times as much as one.
    assert.ok(read < (before - first) * 20, `${read} reads, one alone ${before - first}`);
  });

  it('says what was meant when a name is wrong', async () => {
    const { payload } = await service.post(path, { asset: 'bct' });
    assert.equal(payload.message, 'asset "BCT" is not known here; did you mean "BTC"?');
    const market = await service.post(path, { asset: 'ETH', tradeMarket: 'eur' });
    assert.equal(market.payload.message, '"ETH" is traded against "BTC" or "USDT", found "EUR"');
  });

  for (const { what, body, ...expected } of bad)
    it(`refuses ${what}`, async () => assertRefused(await service.post(path, body), expected, what));
});
