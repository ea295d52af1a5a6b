import { defineIndicator } from '../indicator.js';
import { createScratch, longestWindow } from '../rolling/scratch.js';

const typical = createScratch();

/** How far the typical price lies from its mean, in units of 0.015 mean absolute deviations; 0 where it stands still. */
export const cci = defineIndicator({
  name: 'cci',
  title: 'Commodity Channel Index',
  kind: 'oscillator',
  reference: 'Lambert, Commodity Channel Index, Commodities 1980; as TA-Lib CCI',
  inputs: ['high', 'low', 'close'],
  outputs: ['cci'],
  params: { period: { min: 2, max: longestWindow, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low, close }, { period }, { cci }) {
    const { length } = close;
    let slot = 0;
    for (let i = 0; i < length; i++) {
      const price = (high[i] + low[i] + close[i]) / 3;
      typical[slot] = price;
      slot = slot + 1 < period ? slot + 1 : 0;
      if (i < period - 1) continue;
      // Summed in the order in which TA-Lib does: next to the mean, what remains of the price is rounding.
      let sum = 0;
      for (let k = 0; k < period; k++) sum += typical[k];
      const mean = sum / period;
      let even = 0;
      let odd = 0;
      for (let k = 1; k < period; k += 2) {
        even += Math.abs(typical[k - 1] - mean);
        odd += Math.abs(typical[k] - mean);
      }
      if (period % 2 === 1) even += Math.abs(typical[period - 1] - mean);
      const deviation = even + odd;
      cci[i] = deviation > 1e-14 * Math.abs(sum) ? (price - mean) / (0.015 * (deviation / period)) : 0;
    }
  },
});
