import fc from 'fast-check';
import type { Costs } from '../../../compute/backtest/engine.js';
import { createCandles, type Candles } from '../../../compute/model/candles.js';

/** What the engine takes. */
export interface RunInput {
  candles: Candles;
  targets: Int8Array;
  from: number;
  costs: Costs;
}

const move = fc.double({ min: -0.2, max: 0.25, noNaN: true });
const wick = fc.double({ min: 0, max: 0.3, noNaN: true });
const row = fc.record({ gap: move, body: move, wick, target: fc.constantFrom(0, 1, 2) });
const rate = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.05, noNaN: true }));

/** Up to `most` candles of a rough walk at any price level, with a target on each, from any index on. */
export const arbitraryRun = (most = 60): fc.Arbitrary<RunInput> =>
  fc
    .record({
      rows: fc.array(row, { maxLength: most, size: 'max' }),
      price: fc.constantFrom(1e-8, 1, 37_000, 1e8),
      start: fc.nat({ max: 20 }),
      feeRate: rate,
      slippageRate: rate,
    })
    .map(({ rows, price, start, feeRate, slippageRate }) => {
      const candles = createCandles(rows.length);
      let last = price;
      rows.forEach(({ gap, body, wick }, i) => {
        const open = last * (1 + gap);
        last = open * (1 + body);
        candles.time[i] = i * 3_600_000;
        candles.open[i] = open;
        candles.close[i] = last;
        candles.high[i] = Math.max(open, last);
        candles.low[i] = Math.min(open, last) * (1 - wick);
      });
      const targets = Int8Array.from(rows, ({ target }) => target);
      return { candles, targets, from: Math.min(start, rows.length), costs: { feeRate, slippageRate } };
    });
