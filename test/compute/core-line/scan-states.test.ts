import assert from 'node:assert/strict';
import {
  scanStates,
  statesOfPairs,
  type PairState,
  type ScanParams,
} from '../../../compute/core-line/scan-states.js';
import { viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { trendStates } from '../../../compute/model/core-line.js';
import { intervals } from '../../../compute/model/interval.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoPairs } from '../../support/candles/demo-candles.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const dayMs = 86_400_000;

describe('statesOfPairs', () => {
  for (const interval of intervals) {
    const pairs = demoPairs.map((pair) => {
      const [asset, tradeMarket] = pair.split('_');
      return { asset, tradeMarket, candles: demoCandles(pair, interval) };
    });

    it(`has a row for every pair in the order given, the same that its view on ${interval} says`, () => {
      const rows = statesOfPairs(pairs, interval);
      assert.deepEqual(
        rows.map(({ asset, tradeMarket }) => [asset, tradeMarket]),
        pairs.map(({ asset, tradeMarket }) => [asset, tradeMarket]),
      );
      for (const [n, row] of rows.entries()) {
        const { candles } = pairs[n];
        const { state, since, price, asOf, flips } = viewCoreLine(candles, interval);
        assert.deepEqual([row.state, row.since, row.price, row.asOf], [state, since, price, asOf]);
        const [flip] = flips;
        const { from, to, time, close, outcome } = flip;
        const { change, ...last } = row.lastFlip!;
        assert.deepEqual(last, { from, to, time, price: close, candlesAgo: outcome.candles });
        assertClose(change, outcome.change, 'change since the flip');
      }
    });

    it(`counts the candles and days in the state, at any time, on ${interval}`, () => {
      for (const { asset, tradeMarket, candles } of pairs) {
        for (let count = 61; count <= Math.min(400, candles.time.length); count += 13) {
          const part = sliceCandles(candles, 0, count);
          const [row] = statesOfPairs([{ asset, tradeMarket, candles: part }], interval);
          const since = part.time.indexOf(row.since!);
          assert.equal(row.candlesInState, count - since);
          assert.equal(row.daysInState, (row.asOf! - row.since!) / dayMs);
          if (row.lastFlip) assert.equal(row.lastFlip.candlesAgo, row.candlesInState - 1);
          else assert.equal(since, 60);
        }
      }
    });
  }

  it('has rows for pairs without state, flip, day or candles too', () => {
    const candles = demoCandles('BTC_USDT', '1h');
    const named = { asset: 'NEW', tradeMarket: 'USDT' };
    const scan = (...counts: number[]) =>
      statesOfPairs(
        counts.map((count) => ({ ...named, candles: sliceCandles(candles, 0, count) })),
        '1h',
      );
    const none = { state: null, since: null, candlesInState: null, daysInState: null, lastFlip: null };
    const [empty, young, nearly, first] = scan(0, 24, 60, 61);
    const unknown = { change24h: null, change24hAt: null, volume24h: null };
    const reason = (found: number) =>
      `the trend state needs 61 candles, found ${found}; the history is shorter than 24 hours`;
    assert.deepEqual(empty, { ...named, ...none, ...unknown, price: null, asOf: null, reason: reason(0) });
    const asOf = candles.time[23] + 3_600_000;
    const price = candles.close[23];
    assert.deepEqual(young, { ...named, ...none, ...unknown, price, asOf, reason: reason(24) });
    assert.deepEqual([nearly.state, nearly.lastFlip], [null, null]);
    assert.equal(typeof nearly.change24h, 'number');
    assert.deepEqual([first.state, first.candlesInState, first.lastFlip], ['wait', 1, null]);
    assert.deepEqual(statesOfPairs([], '1h'), []);
    assert.deepEqual(statesOfPairs([{ ...named, candles: createCandles(0) }], '1d'), [empty]);
  });

  it('waits, unmoved, where price never moves', () => {
    const [row] = statesOfPairs([{ asset: 'A', tradeMarket: 'B', candles: flatCandles(100) }], '1h');
    assert.deepEqual([row.state, row.candlesInState, row.lastFlip, row.change24h], ['wait', 40, null, 0]);
  });
});

describe('scan-states', () => {
  const market = ['AAA', 'BBB', 'CCC', 'DDD'].map((asset, n) => ({
    asset,
    tradeMarket: 'USDT',
    candles: randomCandles(n === 3 ? 20 : 300, { seed: n + 1 }),
  }));
  const rows = statesOfPairs(market, '1h');
  const page = (given: Partial<ScanParams>, pairs = market) =>
    scanStates.run({
      pairs,
      interval: '1h',
      params: { state: null, sort: null, limit: null, cursor: null, ...given },
    });
  const scan = (given: Partial<ScanParams>) => page(given).states;
  const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);

  it('gives every state in the order of the pairs where neither filter, sorting nor limit is asked for', () => {
    assert.deepEqual(scan({}), rows);
  });

  it('gives the assets in one state alone', () => {
    for (const state of trendStates)
      assert.deepEqual(
        scan({ state }),
        rows.filter((row) => row.state === state),
      );
  });

  it('sorts by each figure, the highest first and the unknown last', () => {
    const columns = { days_in_state: 'daysInState', change24h: 'change24h', volume: 'volume24h' } as const;
    for (const sort of ['days_in_state', 'change24h', 'volume'] as const) {
      const values = scan({ sort }).map((row) => row[columns[sort]]);
      const descending = known(values).toSorted((a, b) => b - a);
      assert.equal(descending.length, 3);
      assert.deepEqual(values, [...descending, null]);
    }
  });

  it('gives at most as many rows as asked for', () => {
    assert.deepEqual(scan({ limit: 2 }), rows.slice(0, 2));
    assert.deepEqual(scan({ sort: 'volume', limit: 1 }), scan({ sort: 'volume' }).slice(0, 1));
  });

  it('pages through the table of the first page, also while candles and assets are added', () => {
    for (const sort of ['days_in_state', 'change24h', 'volume', null] as const) {
      const whole = scan({ sort });
      let now = market;
      const seen: PairState[] = [];
      let cursor: string | null = null;
      do {
        const { total, states, nextCursor } = page({ sort, limit: 1, cursor }, now);
        assert.equal(total, now.length);
        seen.push(...states);
        cursor = nextCursor;
        // A pair that lags would close a candle of the moment of the first page.
        now = [...market, young].map((pair) =>
          pair.asset === 'DDD' ? pair : { ...pair, candles: grown(pair.candles) },
        );
      } while (cursor !== null);
      assert.deepEqual(
        seen.filter(({ asset }) => asset !== young.asset),
        whole,
        `by ${sort}`,
      );
      assert.equal(new Set(seen.map(({ asset }) => asset)).size, seen.length);
    }
  });

  it('has a cursor that it accepts, also where no pair has a candle yet', () => {
    const empty = market.slice(0, 2).map((pair) => ({ ...pair, candles: createCandles(0) }));
    const first = page({ limit: 1 }, empty);
    const { pattern } = scanStates.params.cursor as { pattern?: RegExp };
    assert.match(first.nextCursor!, pattern!);
    const second = page({ limit: 1, cursor: first.nextCursor }, empty);
    assert.deepEqual([second.states[0].asset, second.nextCursor], ['BBB', null]);
  });

  it('refuses a cursor of a list with another filter', () => {
    const { nextCursor } = page({ limit: 1 });
    const [row] = scan({ limit: 1 });
    const other = trendStates.find((state) => state !== row.state)!;
    assert.throws(() => page({ state: other, cursor: nextCursor }), {
      code: 'invalid_input',
      message: '"cursor" belongs to a list with another filter; start again without a cursor',
      details: { field: 'cursor' },
    });
  });
});

const young = { asset: 'EEE', tradeMarket: 'USDT', candles: randomCandles(301, { seed: 9 }) };

/** The candles, and one after them that moves every figure of the table. */
function grown(candles: Candles): Candles {
  const count = candles.time.length;
  const more = createCandles(count + 1);
  copyCandles(candles, more, 0);
  more.time[count] = candles.time[count - 1] + 3_600_000;
  more.open[count] = candles.close[count - 1];
  more.low[count] = candles.close[count - 1];
  more.high[count] = more.close[count] = candles.close[count - 1] * (1 + count / 1_000);
  more.volume[count] = 1e9 / count;
  return more;
}
