import { defineIndicator } from '../model/indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { chunk, createScratchOfPairs, longestWindow } from '../rolling/scratch.js';

const extremes = createScratchOfPairs();

/** Distance of the close below the highest high of the last candles, in percent of their range; -100 to 0. */
export const williamsR = defineIndicator({
  name: 'williams_r',
  title: 'Williams %R',
  formula: '-100 x (highest high - close) / (highest high - lowest low)',
  reading: 'above -20 overbought, below -80 oversold',
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
      slideRange(high, low, end - period + 1, period, count, extremes);
      let i = end;
      let n = 0;
      // Unrolled by two: the overhead of the loop is as high as the cost of its body.
      for (; i + 1 < end + count; i += 2, n += 4) {
        const top = extremes[n];
        const next = extremes[n + 2];
        const range = top - extremes[n + 1];
        const nextRange = next - extremes[n + 3];
        williams_r[i] = range > 0 ? ((top - close[i]) / range) * -100 : 0;
        williams_r[i + 1] = nextRange > 0 ? ((next - close[i + 1]) / nextRange) * -100 : 0;
      }
      if (i < end + count) {
        const range = extremes[n] - extremes[n + 1];
        williams_r[i] = range > 0 ? ((extremes[n] - close[i]) / range) * -100 : 0;
      }
    }
  },
});
