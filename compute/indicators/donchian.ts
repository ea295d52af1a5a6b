import { defineIndicator } from '../model/indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { chunk, createScratchOfPairs, longestWindow } from '../rolling/scratch.js';

const extremes = createScratchOfPairs();

/** The highest high and the lowest low of the last `period` candles, the current one included, and their midpoint. */
export const donchian = defineIndicator({
  name: 'donchian',
  title: 'Donchian Channel',
  formula: 'highest high and lowest low of the period, and their mean',
  reading: 'a close above the former upper edge is a breakout, below the lower one a breakdown',
  kind: 'volatility',
  reference: "Donchian's 4-week rule, 1960; extremes as TA-Lib MAX(high) and MIN(low)",
  inputs: ['high', 'low'],
  outputs: ['upper', 'middle', 'lower'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low }, { period }, { upper, middle, lower }) {
    const { length } = high;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      slideRange(high, low, end - period + 1, period, count, extremes);
      for (let i = end, n = 0; i < end + count; i++, n += 2) {
        const top = extremes[n];
        const bottom = extremes[n + 1];
        upper[i] = top;
        middle[i] = (top + bottom) / 2;
        lower[i] = bottom;
      }
    }
  },
});
