import { defineIndicator } from '../indicator.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, longestWindow } from '../rolling/scratch.js';

const [rising, falling, inflow, outflow] = [
  createScratch(),
  createScratch(),
  createScratch(),
  createScratch(),
];

/** Share of turnover at a rising typical price in all turnover at a moving one; 0 to 100, and 0 where there is none. */
export const mfi = defineIndicator({
  name: 'mfi',
  title: 'Money Flow Index',
  kind: 'volume',
  reference: 'Quong and Soudack, Volume-Weighted RSI: Money Flow, TASC 1989; as TA-Lib 0.8 MFI',
  inputs: ['high', 'low', 'close', 'volume'],
  outputs: ['mfi'],
  params: { period: { min: 2, max: longestWindow, default: 14, title: 'Period in candles' } },
  warmup: ({ period }) => period,
  fill({ high, low, close, volume }, { period }, { mfi }) {
    const { length } = close;
    for (let end = period; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      const from = end - period;
      // Three times the typical price: the share is the same, and a division saved.
      let before = high[from] + low[from] + close[from];
      for (let k = 0, i = from + 1; k < count + period - 1; k++, i++) {
        const price = high[i] + low[i] + close[i];
        const change = price - before;
        const flow = price * volume[i];
        // Typical prices that differ by their rounding alone are the same.
        const rounding = 1e-14 * (price + before);
        before = price;
        rising[k] = flow * Number(change > rounding);
        falling[k] = flow * Number(-change > rounding);
      }
      slideSums(rising, 0, period, count, inflow);
      slideSums(falling, 0, period, count, outflow);
      for (let k = 0; k < count; k++) {
        const both = inflow[k] + outflow[k];
        mfi[end + k] = both > 0 ? 100 * (inflow[k] / both) : 0;
      }
    }
  },
});
