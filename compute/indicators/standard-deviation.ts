import { defineIndicator } from '../model/indicator.js';
import { slideMoments } from '../rolling/slide-moments.js';
import { longestWindow } from '../rolling/scratch.js';

/** The standard deviation of closes over the period (a population's: divided by the period), in quote units. */
export const standardDeviationIndicator = defineIndicator({
  name: 'standard_deviation',
  title: 'Standard Deviation',
  formula: 'square root of the mean squared distance of the closes from their mean',
  reading: 'spread of closes in quote currency; large: volatile',
  kind: 'volatility',
  reference: 'TA-Lib STDDEV',
  inputs: ['close'],
  outputs: ['deviation'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { deviation }) {
    slideMoments(close, period - 1, period, close.length - period + 1, deviation, deviation);
  },
});
