import { defineIndicator } from '../model/indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { slideSums } from '../rolling/slide-sums.js';
import { chunk, createScratch, createScratchOfPairs, longestWindow } from '../rolling/scratch.js';

const extremes = createScratchOfPairs();
const [strengths, raw, sums] = [createScratch(), createScratch(), createScratch()];

/** Position of the RSI within its range over the last candles (%K), and the mean of that (%D); 0 to 100. */
export const stochRsi = defineIndicator({
  name: 'stoch_rsi',
  title: 'Stochastic RSI',
  formula: '(RSI - its lowest) / (its highest - its lowest) over the range, smoothed',
  reading: 'where the RSI stands in its own range: above 80 high, below 20 low; faster than the RSI',
  kind: 'oscillator',
  reference:
    'Chande and Kroll, The New Technical Trader, 1994; as TA-Lib STOCHRSI, %K shown from where %D is',
  inputs: ['close'],
  outputs: ['k', 'd'],
  params: {
    period: { min: 2, max: 500, default: 14, title: 'Smoothing period of the RSI' },
    range: { min: 1, max: longestWindow, default: 14, title: 'Values of the RSI whose range is taken' },
    signal: { min: 1, max: 100, default: 3, title: 'Values of %K of which %D is the mean' },
  },
  warmup: ({ period, range, signal }) => period + range + signal - 2,
  fill({ close }, { period, range, signal }, { k, d }) {
    const { length } = close;
    const warmup = period + range + signal - 2;
    if (length <= warmup) return;
    const share = 1 / period;
    const keep = 1 - share;
    const signalShare = 1 / signal;
    let before = close[0];
    let gain = 0;
    let loss = 0;
    for (let i = 1; i < period; i++) {
      const change = close[i] - before;
      before = close[i];
      gain += Math.max(change, 0) * share;
      loss += Math.max(-change, 0) * share;
    }
    // `strengths` and `raw` start with the values of the previous chunk that a chunk needs; the first chunk needs none.
    for (let end = period; end < length; end += chunk) {
      const count = Math.min(chunk, length - end);
      for (let n = 0; n < count; n++) {
        const price = close[end + n];
        const change = (price - before) * 0.5;
        const size = Math.abs(change);
        const kept = end + n === period ? 1 : keep;
        before = price;
        gain = gain * kept + (size + change) * share;
        loss = loss * kept + (size - change) * share;
        const both = gain + loss;
        // Values between 100 and 200, for which the extremes without branches are exact.
        strengths[range - 1 + n] = both > 0 ? 100 + (100 * gain) / both : 100;
      }
      slideRange(strengths, strengths, 0, range, count, extremes);
      for (let n = 0; n < count; n++) {
        const bottom = extremes[2 * n + 1];
        const width = extremes[2 * n] - bottom;
        // A width within rounding error counts as 0.
        raw[signal - 1 + n] = width > 1e-12 ? ((strengths[range - 1 + n] - bottom) / width) * 100 : 0;
      }
      slideSums(raw, 0, signal, count, sums);
      for (let n = Math.max(0, warmup - end); n < count; n++) {
        k[end + n] = raw[signal - 1 + n];
        d[end + n] = sums[n] * signalShare;
      }
      strengths.copyWithin(0, count, count + range - 1);
      raw.copyWithin(0, count, count + signal - 1);
    }
  },
});
