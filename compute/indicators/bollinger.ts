import { defineIndicator } from '../model/indicator.js';
import { slideMoments } from '../rolling/slide-moments.js';
import { chunk, longestWindow } from '../rolling/scratch.js';

/** A mean of closes with a band of so many standard deviations to either side. */
export const bollinger = defineIndicator({
  name: 'bollinger',
  title: 'Bollinger Bands',
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
      // The deviation first stands where the upper band comes to stand.
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
