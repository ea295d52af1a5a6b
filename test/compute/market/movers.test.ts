import assert from 'node:assert/strict';
import { moverWindows, type MoversParams } from '../../../compute/market/movers.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import type { PairCandles } from '../../../compute/task.js';
import { movers } from '../../../compute/market/movers.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const hourMs = 3_600_000;
const run = (pairs: readonly PairCandles[], given: Partial<MoversParams> = {}) =>
  movers.run({
    pairs,
    interval: '1h',
    params: { window: '24h', rankBy: 'gain', minQuoteVolume: 0, limit: 50, ...given },
  });

const count = 800;
const endMs = Date.UTC(2024, 0, 1) + count * hourMs;
const hollow = candlesWhere(randomCandles(count, { seed: 77 }), (i) => i % 6 !== 3);
const market = pairsOf({
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`A${n}`, randomCandles(count, { seed: n + 1 })]),
  ),
  HOLLOW: hollow,
  YOUNG: sliceCandles(randomCandles(count, { seed: 78 }), count - 10, count),
  STALE: sliceCandles(randomCandles(count, { seed: 79 }), 0, count - 1),
});
const live = market.filter(({ asset }) => asset !== 'STALE');
const lengths = { '1h': 1, '4h': 4, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** The rows from which the figures of a window follow, told by their times. */
function windowOf({ candles }: PairCandles, hours: number) {
  const rows = Array.from(candles.time, (time, i) => ({
    closeMs: time + hourMs,
    high: candles.high[i],
    low: candles.low[i],
    close: candles.close[i],
    volume: candles.volume[i],
  }));
  const fromMs = endMs - hours * hourMs;
  return {
    within: rows.filter(({ closeMs }) => closeMs > fromMs),
    // A close that is older than a twentieth of the window is no price at its start.
    before: rows.findLast(({ closeMs }) => closeMs <= fromMs && fromMs - closeMs <= (hours / 20) * hourMs),
  };
}

describe('movers', () => {
  for (const window of moverWindows)
    it(`tells what every asset did within ${window}`, () => {
      const { rows, from, to, assets, stale } = run(market, { window, rankBy: 'volume' });
      assert.deepEqual([from, to, assets, stale], [endMs - lengths[window] * hourMs, endMs, 22, 1]);
      assert.equal(rows.length, 22);
      for (const row of rows) {
        const { within, before } = windowOf(
          market.find(({ asset }) => asset === row.asset)!,
          lengths[window],
        );
        const price = within.at(-1)!.close;
        assert.deepEqual(
          [row.price, row.priceBefore, row.candles],
          [price, before?.close ?? null, within.length],
        );
        assertClose(
          row.changePercent,
          before ? ((price - before.close) / before.close) * 100 : null,
          'change',
        );
        assert.equal(row.high, Math.max(...within.map(({ high }) => high)));
        assert.equal(row.low, Math.min(...within.map(({ low }) => low)));
        const traded = within.map(({ volume, high, low, close }) => volume * ((high + low + close) / 3));
        assertClose(
          row.quoteVolume,
          traded.reverse().reduce((a, b) => a + b),
          'volume',
        );
      }
    });

  it('ranks by gain, by loss and by volume', () => {
    const changes = live
      .map((pair) => ({ asset: pair.asset, ...windowOf(pair, 24) }))
      .filter(({ before }) => before)
      .map(({ asset, within, before }) => ({ asset, change: within.at(-1)!.close / before!.close - 1 }));
    const named = (rows: readonly { asset: string }[]) => rows.map(({ asset }) => asset);
    const up = changes.filter(({ change }) => change > 0).sort((a, b) => b.change - a.change);
    const down = changes.filter(({ change }) => change < 0).sort((a, b) => a.change - b.change);
    assert.ok(up.length > 3 && down.length > 3);
    assert.deepEqual(named(run(market, { rankBy: 'gain' }).rows), named(up));
    assert.deepEqual(named(run(market, { rankBy: 'loss' }).rows), named(down));
    const volumes = run(market, { rankBy: 'volume' }).rows.map(({ quoteVolume }) => quoteVolume);
    assert.deepEqual(
      volumes,
      [...volumes].sort((a, b) => b - a),
    );
    const { rows, ranked } = run(market, { limit: 2 });
    assert.deepEqual([named(rows), ranked], [named(up.slice(0, 2)), up.length]);
  });

  it('ranks all by their change where none rose or none fell, and says how many did', () => {
    const to = (close: number) => candlesAt([...Array<number>(24).fill(100), close], { stepMs: hourMs });
    const ranks = (way: 1 | -1, rankBy: 'gain' | 'loss') => {
      const { rows, ranked, rose, fell } = run(
        pairsOf({ A: to(100 + way), B: to(100 + 3 * way), C: to(100 + 2 * way) }),
        { rankBy },
      );
      return [rows.map(({ asset }) => asset).join(''), ranked, rose, fell];
    };
    assert.deepEqual(ranks(-1, 'gain'), ['ACB', 3, 0, 3]);
    assert.deepEqual(ranks(-1, 'loss'), ['BCA', 3, 0, 3]);
    assert.deepEqual(ranks(1, 'gain'), ['BCA', 3, 3, 0]);
    assert.deepEqual(ranks(1, 'loss'), ['ACB', 3, 3, 0]);
  });

  it('leaves out what traded less than the floor, and takes in what traded just as much', () => {
    const all = run(market, { rankBy: 'volume' }).rows;
    const { rows, belowFloor } = run(market, { rankBy: 'volume', minQuoteVolume: all[9].quoteVolume });
    assert.deepEqual([rows, belowFloor], [all.slice(0, 10), 12]);
  });

  it('ranks an asset that is younger than the window by volume only', () => {
    const { rows, skipped } = run(market, { rankBy: 'gain' });
    assert.equal(skipped, 1);
    assert.ok(!rows.some(({ asset }) => asset === 'YOUNG'));
    const young = run(market, { rankBy: 'volume' }).rows.find(({ asset }) => asset === 'YOUNG')!;
    assert.deepEqual([young.changePercent, young.priceBefore, young.candles], [null, null, 10]);
    // Of HOLLOW the close four hours before the end is missing.
    assert.equal(run(market, { window: '4h' }).skipped, 1);
  });

  it('takes one candle before the window for a beginning', () => {
    const oldest = (candles: number) =>
      run(pairsOf({ A: sliceCandles(randomCandles(count), count - candles, count) }), { rankBy: 'volume' })
        .rows[0];
    assert.equal(oldest(25).priceBefore, randomCandles(count).close[count - 25]);
    assert.equal(oldest(24).priceBefore, null);
  });

  it('takes the last close before a short gap for the price at the beginning', () => {
    // The window of a week opens with row 632; row 631 is missing.
    const holed = candlesWhere(randomCandles(count, { seed: 77 }), (i) => i !== 631);
    const row = run(pairsOf({ HOLED: holed }), { window: '7d', rankBy: 'volume' }).rows[0];
    assert.deepEqual([row.priceBefore, row.reason], [holed.close[630], null]);
  });

  it('measures no change from before an outage, and says so', () => {
    const whole = randomCandles(count, { seed: 77 });
    const after = candlesWhere(whole, (i) => i < 738 || i === 799);
    const { rows, skipped } = run(pairsOf({ AFTER: after }), { window: '1h', rankBy: 'volume' });
    assert.deepEqual(
      [rows[0].changePercent, rows[0].priceBefore, rows[0].reason, skipped],
      [
        null,
        null,
        'candles are missing: the last close before the window is 61 hours older than its start',
        1,
      ],
    );
    assert.deepEqual(run(pairsOf({ AFTER: after }), { window: '1h', rankBy: 'gain' }).rows, []);
    const young = run(pairsOf({ A: sliceCandles(whole, 790, count) }), { rankBy: 'volume' }).rows[0];
    assert.equal(young.reason, 'the asset is younger than the window');
  });

  it('names nobody where nothing moves, and nothing where nothing trades', () => {
    const still = flatCandles(50);
    still.volume.fill(0);
    for (const rankBy of ['gain', 'loss'] as const)
      assert.deepEqual(run(pairsOf({ A: still }), { rankBy }).rows, []);
    assert.equal(run(pairsOf({ A: still }), { rankBy: 'volume' }).rows[0].quoteVolume, 0);
    assert.equal(run(pairsOf({ A: still }), { rankBy: 'volume', minQuoteVolume: 1e-9 }).belowFloor, 1);
  });

  it('refuses other candles than those of an hour, and a market without any', () => {
    assert.throws(
      () =>
        movers.run({
          pairs: market,
          interval: '4h',
          params: { window: '24h', rankBy: 'gain', minQuoteVolume: 0, limit: 1 },
        }),
      {
        code: 'invalid_input',
        message: 'movers are read from 1h candles, not from 4h',
        details: { field: 'interval' },
      },
    );
    assert.throws(() => run([]), { code: 'not_enough_history' });
  });
});
