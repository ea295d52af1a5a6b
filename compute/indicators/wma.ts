import { defineIndicator } from '../model/indicator.js';

/** The running sums are computed anew after this many candles, so that rounding errors do not accumulate. */
const stretch = 512;

/** A mean whose weights rise linearly from 1 for the oldest close to `period` for the newest. */
export const wma = defineIndicator({
  name: 'wma',
  title: 'Weighted Moving Average',
  formula: 'mean of closes with weights 1 to period, the newest the most',
  reading: 'price above a rising average: upward; between SMA and EMA in lag',
  kind: 'trend',
  reference: 'TA-Lib WMA',
  inputs: ['close'],
  outputs: ['wma'],
  params: { period: { min: 2, max: 500, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { wma }) {
    const { length } = close;
    const share = 2 / (period * (period + 1));
    for (let first = period - 1; first < length; first += stretch) {
      const end = Math.min(first + stretch, length);
      let sum = 0;
      let weighted = 0;
      for (let i = first; i > first - period; i--) {
        sum += close[i];
        weighted += sum;
      }
      wma[first] = weighted * share;
      let i = first + 1;
      // At each step every weight falls by one, that of the oldest to 0, and the newest close has the full weight.
      // Unrolled by four: the overhead of the loop is as high as the cost of its body.
      for (; i + 3 < end; i += 4) {
        const a = close[i];
        const b = close[i + 1];
        const c = close[i + 2];
        const d = close[i + 3];
        weighted += a * period - sum;
        sum += a - close[i - period];
        wma[i] = weighted * share;
        weighted += b * period - sum;
        sum += b - close[i + 1 - period];
        wma[i + 1] = weighted * share;
        weighted += c * period - sum;
        sum += c - close[i + 2 - period];
        wma[i + 2] = weighted * share;
        weighted += d * period - sum;
        sum += d - close[i + 3 - period];
        wma[i + 3] = weighted * share;
      }
      for (; i < end; i++) {
        weighted += close[i] * period - sum;
        sum += close[i] - close[i - period];
        wma[i] = weighted * share;
      }
    }
  },
});
