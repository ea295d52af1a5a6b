import { defineIndicator } from '../model/indicator.js';
import { longestWindow } from '../rolling/scratch.js';

/** For each candle of a block: inflow, outflow, and the sums of both from the next candle to the end of the block. */
const block = new Float64Array(4 * longestWindow);

/** Turnover at rising typical prices as a share of the turnover at rising and falling ones; 0 to 100, and 0 without turnover. */
export const mfi = defineIndicator({
  name: 'mfi',
  title: 'Money Flow Index',
  formula: '100 - 100 / (1 + money flow of rising over falling typical prices)',
  reading: 'an RSI weighted by volume: above 80 overbought, below 20 oversold',
  kind: 'volume',
  reference: 'Quong and Soudack, Volume-Weighted RSI: Money Flow, TASC 1989; as TA-Lib 0.8 MFI',
  inputs: ['high', 'low', 'close', 'volume'],
  outputs: ['mfi'],
  params: { period: { min: 2, max: longestWindow, default: 14, title: 'Period in candles' } },
  warmup: ({ period }) => period,
  fill({ high, low, close, volume }, { period }, { mfi }) {
    const { length } = close;
    if (length <= period) return;
    block.fill(0, 0, 4 * period);
    // Three times the typical price: the share is the same without the division.
    let before = high[0] + low[0] + close[0];
    for (let first = 1; first < length; first += period) {
      const stop = Math.min(first + period, length);
      let inflow = 0;
      let outflow = 0;
      // The part of the previous block in the windows that end in this one. Nothing is subtracted from a sum.
      for (let n = 4 * period - 4; n >= 0; n -= 4) {
        block[n + 2] = inflow;
        block[n + 3] = outflow;
        inflow += block[n];
        outflow += block[n + 1];
      }
      inflow = 0;
      outflow = 0;
      for (let i = first, n = 0; i < stop; i++, n += 4) {
        const price = high[i] + low[i] + close[i];
        const change = price - before;
        const flow = price * volume[i];
        // Typical prices that differ only by rounding count as equal.
        const rounding = 1e-14 * (price + before);
        before = price;
        const up = flow * Number(change > rounding);
        const down = flow * Number(-change > rounding);
        block[n] = up;
        block[n + 1] = down;
        inflow += up;
        outflow += down;
        if (i < period) continue;
        const risen = block[n + 2] + inflow;
        const both = risen + (block[n + 3] + outflow);
        mfi[i] = both > 0 ? 100 * (risen / both) : 0;
      }
    }
  },
});
