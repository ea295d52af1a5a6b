import { defineIndicator } from '../indicator.js';
import { slideMoments } from '../rolling/slide-moments.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const means = createScratch();
const deviations = createScratch();

/** How far closes lie from their mean, in quote units: the population's deviation (divided by the period). */
export const standardDeviation = defineIndicator({
  name: 'standard_deviation',
  title: 'Standard Deviation',
  kind: 'volatility',
  reference: 'TA-Lib STDDEV',
  inputs: ['close'],
  outputs: ['deviation'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { deviation }) {
    const { length } = close;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      slideMoments(close, end - period + 1, period, count, means, deviations);
      for (let k = 0; k < count; k++) deviation[end + k] = deviations[k];
    }
  },
});
