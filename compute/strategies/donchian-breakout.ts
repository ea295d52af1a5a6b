import { computeIndicator } from '../model/indicator.js';
import { donchian } from '../indicators/donchian.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Buys on a close above the high of the previous `entry` candles, sells on one below the low of the previous `exit`. */
export const donchianBreakout = defineStrategy({
  name: 'donchian_breakout',
  title: 'Donchian breakout',
  rule: 'Buy on a close above the highest high of the candles before, sell on one below their lowest low.',
  params: {
    entry: { min: 2, max: 200, default: 20, title: 'Candles before whose highest high is broken' },
    exit: { min: 2, max: 200, default: 10, title: 'Candles before whose lowest low is broken' },
  },
  ready: ({ entry, exit }) => Math.max(entry, exit),
  fill(candles, { entry, exit }, targets, scratch) {
    const { close } = candles;
    const { upper } = computeIndicator(donchian, candles, { period: entry }, scratch);
    const { lower } = computeIndicator(donchian, candles, { period: exit }, scratch);
    for (let i = Math.max(entry, exit); i < close.length; i++) {
      targets[i] =
        close[i] > upper[i - 1] ? target.long : close[i] < lower[i - 1] ? target.flat : target.keep;
    }
  },
});
