import { defineIndicator } from '../model/indicator.js';
import { slideMoments } from '../rolling/slide-moments.js';
import { chunk, longestWindow } from '../rolling/scratch.js';

/** The mean of closes, with bands `width` standard deviations above and below. */
export const bollinger = defineIndicator({
  name: 'bollinger',
  title: 'Bollinger Bands',
  formula: 'middle: SMA of closes; upper and lower: middle plus and minus width x standard deviation',
  reading: 'close at a band is far from its mean; narrow bands often come before large moves',
  kind: 'volatility',
  reference: 'Bollinger on Bollinger Bands, 2001; population deviation as TA-Lib BBANDS',
  inputs: ['close'],
  outputs: ['upper', 'middle', 'lower'],
  params: {
    period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' },
    width: { min: 0.1, max: 10, default: 2, step: 0.1, title: 'Standard deviations from middle to band' },
  },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period, width }, { upper, middle, lower }) {
    const { length } = close;
    for (let end = period - 1; end < length; end += chunk) {
      const stop = Math.min(end + chunk, length);
      // The column of the upper band holds the deviation first.
      slideMoments(close, end, period, stop - end, middle, upper);
      for (let i = end; i < stop; i++) {
        const mean = middle[i];
        const reach = upper[i] * width;
        upper[i] = mean + reach;
        lower[i] = mean - reach;
      }
    }
  },
});
