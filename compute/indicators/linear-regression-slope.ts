import { defineIndicator } from '../model/indicator.js';

/** The slope of the least-squares line through the last closes, in quote units per candle. */
export const linearRegressionSlope = defineIndicator({
  name: 'linear_regression_slope',
  title: 'Linear Regression Slope',
  formula: 'slope of the least-squares line through the closes of the period',
  reading: 'quote currency per candle: above 0 rising, below 0 falling',
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
    // Closes are used as distances from a close that all windows of a block contain, and nothing is subtracted from a sum.
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
      // Unrolled by two: the overhead of the loop is as high as the cost of its body.
      let i = stop - 1;
      for (; i > first; i -= 2) {
        const rankedNow = ranked + sum;
        const sumNow = sum + (close[i - period + 1] - centre);
        ranked = rankedNow + sumNow;
        sum = sumNow + (close[i - period] - centre);
        slope[i] = rankedNow - half * sumNow;
        slope[i - 1] = ranked - half * sum;
      }
      if (i === first) slope[i] = ranked + sum - half * (sum + (close[i - period + 1] - centre));
      let head = 0;
      let older = 0;
      slope[first] *= share;
      for (i = first + 1; i + 1 < stop; i += 2) {
        const olderNow = older + head;
        const headNow = head + (close[i] - centre);
        older = olderNow + headNow;
        head = headNow + (close[i + 1] - centre);
        slope[i] = (slope[i] + (half * headNow - olderNow)) * share;
        slope[i + 1] = (slope[i + 1] + (half * head - older)) * share;
      }
      if (i < stop) slope[i] = (slope[i] + (half * (head + (close[i] - centre)) - (older + head))) * share;
    }
  },
});
