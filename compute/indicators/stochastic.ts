import { defineIndicator } from '../model/indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, createScratchOfPairs, longestWindow } from '../rolling/scratch.js';

const extremes = createScratchOfPairs();
const [raw, slow, slower] = [createScratch(), createScratch(), createScratch()];

/** Position of the close between the lowest low and the highest high, smoothed once (%K) and twice (%D); 0 to 100. */
export const stochastic = defineIndicator({
  name: 'stochastic',
  title: 'Stochastic Oscillator',
  formula: '100 x (close - lowest low) / (highest high - lowest low), smoothed; %D is its SMA',
  reading: 'above 80 overbought, below 20 oversold; %K above %D: momentum turns up',
  kind: 'oscillator',
  reference: 'Lane, 1957; as TA-Lib STOCH with simple averages, %K shown from where %D is',
  inputs: ['high', 'low', 'close'],
  outputs: ['k', 'd'],
  params: {
    period: { min: 1, max: longestWindow, default: 14, title: 'Candles whose range is taken' },
    smoothing: { min: 1, max: 100, default: 3, title: 'Values of which %K is the mean' },
    signal: { min: 1, max: 100, default: 3, title: 'Values of %K of which %D is the mean' },
  },
  warmup: ({ period, smoothing, signal }) => period + smoothing + signal - 3,
  fill({ high, low, close }, { period, smoothing, signal }, { k, d }) {
    const { length } = close;
    const warmup = period + smoothing + signal - 3;
    if (length <= warmup) return;
    const smoothingShare = 1 / smoothing;
    const signalShare = 1 / signal;
    // `raw` and `slow` start with the values of the previous chunk that a chunk needs; the first chunk needs none.
    for (let end = period - 1; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      slideRange(high, low, end - period + 1, period, count, extremes);
      for (let n = 0; n < count; n++) {
        const bottom = extremes[2 * n + 1];
        const range = extremes[2 * n] - bottom;
        raw[smoothing - 1 + n] = range > 0 ? ((close[end + n] - bottom) / range) * 100 : 0;
      }
      slideSums(raw, 0, smoothing, count, slower);
      for (let n = 0; n < count; n++) slow[signal - 1 + n] = slower[n] * smoothingShare;
      slideSums(slow, 0, signal, count, slower);
      for (let n = Math.max(0, warmup - end); n < count; n++) {
        k[end + n] = slow[signal - 1 + n];
        d[end + n] = slower[n] * signalShare;
      }
      raw.copyWithin(0, count, count + smoothing - 1);
      slow.copyWithin(0, count, count + signal - 1);
    }
  },
});
