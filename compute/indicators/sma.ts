import { defineIndicator } from '../indicator.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const sums = createScratch();

/** The plain mean of the last closes. */
export const sma = defineIndicator({
  name: 'sma',
  title: 'Simple Moving Average',
  kind: 'trend',
  reference: 'TA-Lib SMA',
  inputs: ['close'],
  outputs: ['sma'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { sma }) {
    const { length } = close;
    const share = 1 / period;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      slideSums(close, end - period + 1, period, count, sums);
      for (let k = 0; k < count; k++) sma[end + k] = sums[k] * share;
    }
  },
});
