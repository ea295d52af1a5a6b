import { defineIndicator } from '../indicator.js';

/** The slope of the straight line that fits the last closes best, in quote units per candle. */
export const linearRegressionSlope = defineIndicator({
  name: 'linear_regression_slope',
  title: 'Linear Regression Slope',
  kind: 'trend',
  reference: 'Ordinary least squares; as TA-Lib LINEARREG_SLOPE',
  inputs: ['close'],
  outputs: ['slope'],
  params: { period: { min: 2, max: 500, default: 14, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { slope }) {
    const { length } = close;
    const half = (period - 1) / 2;
    const share = 12 / (period * (period * period - 1));
    // Closes are taken as distances from one that all windows of a block hold, and nothing is taken out of a sum.
    for (let first = period - 1; first < length; first += period) {
      const start = first - period + 1;
      const stop = Math.min(first + period, length);
      const centre = close[first];
      let sum = 0;
      let ranked = 0;
      for (let i = first; i >= start + stop - first; i--) {
        ranked += sum;
        sum += close[i] - centre;
      }
      for (let i = stop - 1; i >= first; i--) {
        ranked += sum;
        sum += close[i - period + 1] - centre;
        slope[i] = ranked - half * sum;
      }
      let head = 0;
      let older = 0;
      slope[first] *= share;
      for (let i = first + 1; i < stop; i++) {
        older += head;
        head += close[i] - centre;
        slope[i] = (slope[i] + (half * head - older)) * share;
      }
    }
  },
});
