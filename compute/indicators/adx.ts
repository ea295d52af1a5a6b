import { defineIndicator } from '../model/indicator.js';
import { streamAdx } from './streams/adx.js';

/** Strength of the trend (ADX) and of upward (+DI) and downward (-DI) movement, each 0 to 100. */
export const adx = defineIndicator({
  name: 'adx',
  title: 'Average Directional Index with +DI and -DI',
  formula:
    "Wilder's averages of +DM and -DM over the average true range give +DI and -DI; ADX is Wilder's average of 100 x |+DI - -DI| / (+DI + -DI)",
  reading: 'ADX below 20: no trend, above 25: a trend in either direction; +DI above -DI: upward',
  kind: 'trend',
  reference:
    'Wilder, New Concepts in Technical Trading Systems, 1978; seeds as TA-Lib ADX, PLUS_DI, MINUS_DI',
  inputs: ['high', 'low', 'close'],
  outputs: ['adx', 'pdi', 'mdi'],
  params: { period: { min: 2, max: 500, default: 14, title: 'Smoothing period in candles' } },
  warmup: ({ period }, output) => (output === 'adx' ? 2 * period - 1 : period),
  fill({ high, low, close }, { period }, out) {
    const { adx, pdi, mdi } = out;
    const { length } = close;
    if (length <= period) return;
    const share = 1 / period;
    const smoothing = 1 - share;
    let rangeSum = 0;
    let upSum = 0;
    let downSum = 0;
    let average = 0;
    for (let i = 1; i < length; i++) {
      // The larger move is unpredictable, and a branch (Math.max is one) is mispredicted half of the time. Without a
      // branch, (x + |x|) / 2 is the larger of x and 0, and a comparison is used as a number.
      const rise = high[i] - high[i - 1];
      const fall = low[i - 1] - low[i];
      const up = (rise + Math.abs(rise)) * 0.5;
      const down = (fall + Math.abs(fall)) * 0.5;
      const before = close[i - 1];
      const range = Math.max(high[i], before) - Math.min(low[i], before);
      // The first sums have `period` - 1 values; smoothing starts with the next value.
      const kept = i < period ? 1 : smoothing;
      rangeSum = rangeSum * kept + range;
      upSum = upSum * kept + up * Number(up > down);
      downSum = downSum * kept + down * Number(down > up);
      if (i < period) continue;
      // If the price does not move for thousands of candles, the sums decay towards 0 and 100 / sum would overflow.
      const scale = rangeSum > 1e-300 ? 100 / rangeSum : 0;
      pdi[i] = upSum * scale;
      mdi[i] = downSum * scale;
      const both = (upSum + downSum) * scale;
      if (both > 0) {
        const index = (100 * Math.abs(upSum - downSum)) / (upSum + downSum);
        average += (i < 2 * period ? index : index - average) * share;
      }
      if (i >= 2 * period - 1) adx[i] = average;
    }
  },
  stream: streamAdx,
});
