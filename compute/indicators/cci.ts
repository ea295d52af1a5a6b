import { defineIndicator } from '../model/indicator.js';
import { createScratch, longestWindow } from '../rolling/scratch.js';

const typical = createScratch();

/** Distance of the typical price from its mean, in units of 0.015 mean absolute deviations; 0 where it does not move. */
export const cci = defineIndicator({
  name: 'cci',
  title: 'Commodity Channel Index',
  formula: '(typical price - its SMA) / (0.015 x its mean absolute deviation)',
  reading:
    'above 100 unusually high, below -100 unusually low; about three quarters of the values lie between',
  kind: 'oscillator',
  reference: 'Lambert, Commodity Channel Index, Commodities 1980; as TA-Lib CCI',
  inputs: ['high', 'low', 'close'],
  outputs: ['cci'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low, close }, { period }, { cci }) {
    const { length } = close;
    const scale = period / 0.015;
    let slot = 0;
    let head = 0;
    for (let i = 0; i < length; i++) {
      const price = (high[i] + low[i] + close[i]) / 3;
      typical[slot] = price;
      head = slot === 0 ? price : head + price;
      // Summed in the order of TA-Lib: the distance from the mean is so small that the order of rounding matters.
      let sum = head;
      for (let k = slot + 1; k < period; k++) sum += typical[k];
      slot = slot + 1 < period ? slot + 1 : 0;
      if (i < period - 1) continue;
      const mean = sum / period;
      let even = 0;
      let odd = 0;
      let k = 0;
      for (; k + 3 < period; k += 4) {
        even += Math.abs(typical[k] - mean) + Math.abs(typical[k + 1] - mean);
        odd += Math.abs(typical[k + 2] - mean) + Math.abs(typical[k + 3] - mean);
      }
      for (; k < period; k++) even += Math.abs(typical[k] - mean);
      const deviation = even + odd;
      cci[i] = deviation > 1e-14 * Math.abs(sum) ? ((price - mean) * scale) / deviation : 0;
    }
  },
});
