import { defineIndicator } from '../indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const [highest, lowest] = [createScratch(), createScratch()];

/** How far the close lies below the highest high of the last candles, in percent of their range; -100 to 0. */
export const williamsR = defineIndicator({
  name: 'williams_r',
  title: 'Williams %R',
  kind: 'oscillator',
  reference: 'Williams, How I Made One Million Dollars Last Year Trading Commodities, 1973; as TA-Lib WILLR',
  inputs: ['high', 'low', 'close'],
  outputs: ['williams_r'],
  params: { period: { min: 2, max: longestWindow, default: 14, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ high, low, close }, { period }, { williams_r }) {
    const { length } = close;
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      slideRange(high, low, end - period + 1, period, count, highest, lowest);
      let k = 0;
      let i = end;
      // Two candles at a time: the loop itself costs as much as what is in it.
      for (; k + 1 < count; k += 2, i += 2) {
        const top = highest[k];
        const next = highest[k + 1];
        const range = top - lowest[k];
        const nextRange = next - lowest[k + 1];
        williams_r[i] = range > 0 ? ((top - close[i]) / range) * -100 : 0;
        williams_r[i + 1] = nextRange > 0 ? ((next - close[i + 1]) / nextRange) * -100 : 0;
      }
      if (k < count) {
        const range = highest[k] - lowest[k];
        williams_r[i] = range > 0 ? ((highest[k] - close[i]) / range) * -100 : 0;
      }
    }
  },
});
