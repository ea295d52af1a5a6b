import assert from 'node:assert/strict';
import { recentFlips } from '../../../compute/core-line/recent-flips.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { stateName } from '../../../compute/model/core-line.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const hourMs = 3_600_000;
const market = Array.from({ length: 40 }, (_, n) => ({
  asset: `A${String(n).padStart(2, '0')}`,
  tradeMarket: 'USDT',
  candles: randomCandles(300, { seed: n + 1 }),
}));
const endMs = market[0].candles.time[299] + hourMs;

/** By a walk back from the last candle: the candle where the state of the series began; null where it never changed. */
function lastChange(candles: Candles) {
  const { state } = computeCoreLine(candles);
  const last = state.length - 1;
  for (let i = last; i > 60; i--)
    if (state[i] !== state[i - 1])
      return { at: i, from: stateName(state[i - 1])!, to: stateName(state[i])!, candlesAgo: last - i };
  return null;
}

const find = (params: Partial<Parameters<typeof recentFlips.run>[0]['params']>, pairs = market) =>
  recentFlips.run({
    pairs,
    interval: '1h',
    params: { withinCandles: 3, toState: null, limit: 100, ...params },
  });

describe('recent-flips', () => {
  it('finds the assets whose state changed within the last candles, as a walk back through each does', () => {
    for (const withinCandles of [1, 3, 20, 100]) {
      const expected = market.flatMap(({ asset, candles }) => {
        const change = lastChange(candles);
        if (!change || change.candlesAgo >= withinCandles) return [];
        const { at, ...rest } = change;
        const [flipPrice, price] = [candles.close[at], candles.close[299]];
        const changePercent = (price / flipPrice - 1) * 100;
        return [{ asset, ...rest, time: candles.time[at], flipPrice, price, changePercent }];
      });
      const { rows, found, assets, stale, asOf } = find({ withinCandles });
      assert.deepEqual(
        [found, assets, stale, asOf],
        [expected.length, 40, 0, endMs],
        `within ${withinCandles}`,
      );
      assert.deepEqual(
        rows.toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
        expected,
      );
    }
    assert.ok(find({ withinCandles: 100 }).found > 10);
  });

  it('begins with the latest change, and with the larger move among those of the same candle', () => {
    const { rows } = find({ withinCandles: 100 });
    for (const [n, row] of rows.slice(1).entries()) {
      const before = rows[n];
      assert.ok(before.time >= row.time);
      if (before.time === row.time)
        assert.ok(Math.abs(before.changePercent) >= Math.abs(row.changePercent), row.asset);
    }
  });

  it('keeps to one state and to the limit, and counts all', () => {
    const all = find({ withinCandles: 100 });
    const some = find({ withinCandles: 100, toState: 'wait', limit: 2 });
    const expected = all.rows.filter(({ to }) => to === 'wait');
    assert.deepEqual([some.found, some.rows], [expected.length, expected.slice(0, 2)]);
  });

  it('leaves assets without the newest candle out, whenever they flipped', () => {
    const pairs = market.map((pair, n) =>
      n === 0 ? pair : { ...pair, candles: sliceCandles(pair.candles, 0, 299) },
    );
    const { assets, stale, rows } = find({ withinCandles: 100 }, pairs);
    assert.deepEqual([assets, stale], [1, 39]);
    assert.ok(rows.every(({ asset }) => asset === 'A00'));
  });

  it('refuses a market without candles', () => {
    assert.throws(() => find({}, []), { code: 'not_enough_history' });
  });
});
