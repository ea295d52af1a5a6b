import { defineIndicator } from '../indicator.js';
import { slideMoments } from '../rolling/slide-moments.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const means = createScratch();
const deviations = createScratch();

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
      const count = Math.min(chunk, length - end);
      slideMoments(close, end - period + 1, period, count, means, deviations);
      for (let k = 0; k < count; k++) {
        const mean = means[k];
        const reach = deviations[k] * width;
        upper[end + k] = mean + reach;
        middle[end + k] = mean;
        lower[end + k] = mean - reach;
      }
    }
  },
});
