import { defineIndicator } from '../model/indicator.js';

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
      // Two candles at a time: the loop itself costs as much as what is in it.
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
