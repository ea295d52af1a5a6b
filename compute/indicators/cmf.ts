import { defineIndicator } from '../model/indicator.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const [flows, sums, volumes] = [createScratch(), createScratch(), createScratch()];

/** Volume weighted by the position of the close: 1 with all closes at the high, -1 at the low; 0 without volume. */
export const cmf = defineIndicator({
  name: 'cmf',
  title: 'Chaikin Money Flow',
  formula: 'sum of volume x ((close - low) - (high - close)) / (high - low), over the sum of volume',
  reading: 'above 0: closes in the upper half on volume, buying pressure; below 0: selling',
  kind: 'volume',
  reference: 'Chaikin; Achelis, Technical Analysis from A to Z, 2000',
  inputs: ['high', 'low', 'close', 'volume'],
  outputs: ['cmf'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low, close, volume }, { period }, { cmf }) {
    const { length } = close;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      const from = end - period + 1;
      for (let k = 0, i = from; k < count + period - 1; k++, i++) {
        const range = high[i] - low[i];
        const place = range > 0 ? (close[i] - low[i] - (high[i] - close[i])) / range : 0;
        flows[k] = place * volume[i];
      }
      slideSums(flows, 0, period, count, sums);
      slideSums(volume, from, period, count, volumes);
      for (let k = 0; k < count; k++) cmf[end + k] = volumes[k] > 0 ? sums[k] / volumes[k] : 0;
    }
  },
});
