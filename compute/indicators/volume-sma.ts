import { defineIndicator } from '../model/indicator.js';

/** The arithmetic mean of the last volumes. */
export const volumeSma = defineIndicator({
  name: 'volume_sma',
  title: 'Simple Moving Average of Volume',
  formula: 'mean of the last volumes',
  reading:
    'volume far above it marks a candle that many traded; multiply it in a condition, as in volume_sma_20 * 2',
  kind: 'volume',
  reference: 'plain formula',
  inputs: ['volume'],
  outputs: ['volume_sma'],
  params: { period: { min: 2, max: 500, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ volume }, { period }, { volume_sma }) {
    const share = 1 / period;
    let sum = 0;
    // Candles in a row without volume: after `period` of them the sum is exactly 0 again, not what rounding left over.
    let idle = 0;
    for (let i = 0; i < volume.length; i++) {
      sum += volume[i];
      if (i >= period) sum -= volume[i - period];
      idle = volume[i] === 0 ? idle + 1 : 0;
      if (idle >= period) sum = 0;
      if (i >= period - 1) volume_sma[i] = sum * share;
    }
  },
});
