import { defineIndicator } from '../indicator.js';

/** After how many candles the sums are taken afresh, so that rounding does not pile up in them. */
const stretch = 512;

/** A mean whose weights rise evenly from 1 for the oldest close to the period for the newest. */
export const wma = defineIndicator({
  name: 'wma',
  title: 'Weighted Moving Average',
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
      for (let i = first + 1; i < end; i++) {
        const price = close[i];
        // Every weight falls by one, the oldest to none; the newest has the full one.
        weighted += price * period - sum;
        sum += price - close[i - period];
        wma[i] = weighted * share;
      }
    }
  },
});
