import { defineIndicator } from '../indicator.js';

/** How strongly price trends (ADX) and which way it pushes (+DI up, -DI down), each 0 to 100. */
export const adx = defineIndicator({
  name: 'adx',
  title: 'Average Directional Index with +DI and -DI',
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
    let highBefore = high[0];
    let lowBefore = low[0];
    let closeBefore = close[0];
    let rangeSum = 0;
    let upSum = 0;
    let downSum = 0;
    let average = 0;
    for (let i = 1; i < length; i++) {
      // Which move is larger is a coin toss, and a branch on it (Math.max is one) would miss half of the time:
      // (x + |x|) / 2 is the larger of x and 0, and x / |x| is 1 or -1, all without a branch and without rounding.
      const rise = high[i] - highBefore;
      const fall = lowBefore - low[i];
      const up = (rise + Math.abs(rise)) / 2;
      const down = (fall + Math.abs(fall)) / 2;
      const side = (up - down) / (Math.abs(up - down) + 1e-300);
      const upWins = (side + Math.abs(side)) / 2;
      highBefore = high[i];
      lowBefore = low[i];
      const range = Math.max(highBefore, closeBefore) - Math.min(lowBefore, closeBefore);
      closeBefore = close[i];
      // The first sums take one value fewer than the period; smoothing starts with the period's last.
      const kept = i < period ? 1 : smoothing;
      rangeSum = rangeSum * kept + range;
      upSum = upSum * kept + up * upWins;
      downSum = downSum * kept + down * (upWins - side);
      if (i < period) continue;
      const scale = rangeSum > 0 ? 100 / rangeSum : 0;
      pdi[i] = upSum * scale;
      mdi[i] = downSum * scale;
      const both = upSum + downSum;
      if (both > 0 && scale > 0) {
        const index = (100 * Math.abs(upSum - downSum)) / both;
        average += (i < 2 * period ? index : index - average) * share;
      }
      if (i >= 2 * period - 1) adx[i] = average;
    }
  },
});
