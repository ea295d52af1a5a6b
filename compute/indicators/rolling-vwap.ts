import { defineIndicator } from '../model/indicator.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const [turnovers, sums, volumes] = [createScratch(), createScratch(), createScratch()];

/** The volume-weighted average price of the last `period` candles; NaN where they have no volume. */
export const rollingVwap = defineIndicator({
  name: 'rolling_vwap',
  title: 'Rolling Volume-Weighted Average Price',
  formula: 'sum of typical price x volume over sum of volume of the period',
  reading: 'price above it: buyers of the period are in profit on average',
  kind: 'volume',
  reference:
    'Berkowitz, Logue and Noser, The Total Cost of Transactions on the NYSE, 1988; typical price by volume',
  inputs: ['high', 'low', 'close', 'volume'],
  outputs: ['vwap'],
  needsVolume: true,
  params: { period: { min: 1, max: longestWindow, default: 24, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low, close, volume }, { period }, { vwap }) {
    const { length } = close;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      const from = end - period + 1;
      for (let k = 0, i = from; k < count + period - 1; k++, i++) {
        turnovers[k] = ((high[i] + low[i] + close[i]) / 3) * volume[i];
      }
      slideSums(turnovers, 0, period, count, sums);
      slideSums(volume, from, period, count, volumes);
      for (let k = 0, i = end; k < count; k++, i++) {
        vwap[i] = volumes[k] > 0 ? sums[k] / volumes[k] : NaN;
      }
    }
  },
});
