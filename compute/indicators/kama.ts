import { defineIndicator } from '../model/indicator.js';
import { streamKama } from './streams/kama.js';

/** A moving average that follows a steady trend closely and reacts little to a price that moves to and fro. */
export const kama = defineIndicator({
  name: 'kama',
  title: "Kaufman's Adaptive Moving Average",
  formula: 'an EMA whose weight follows the efficiency ratio, net change over the sum of changes',
  reading: 'flat in noise and fast in trends: a turn of the line says more than that of an SMA',
  kind: 'trend',
  reference: 'Kaufman, Smarter Trading, 1995; seed and rounding as TA-Lib KAMA',
  inputs: ['close'],
  outputs: ['kama'],
  params: {
    period: {
      min: 2,
      max: 500,
      default: 10,
      title: 'Candles over which the efficiency of movement is taken',
    },
    fast: { min: 1, max: 100, default: 2, title: 'Period of the average when movement is fully efficient' },
    slow: { min: 2, max: 500, default: 30, title: 'Period of the average when movement leads nowhere' },
  },
  warmup: ({ period }) => period,
  fill({ close }, { period, fast, slow }, { kama }) {
    const { length } = close;
    if (length <= period) return;
    const slowest = 2 / (slow + 1);
    const range = 2 / (fast + 1) - slowest;
    let path = 0;
    let still = 0;
    for (let i = 1; i < period; i++) {
      const move = Math.abs(close[i] - close[i - 1]);
      path += move;
      still = move === 0 ? still + 1 : 0;
    }
    let before = close[period - 1];
    let average = before;
    let oldest = close[0];
    for (let i = period, k = 0; i < length; i++, k++) {
      const price = close[i];
      const start = close[k];
      const move = Math.abs(price - before);
      path = path - Math.abs(start - oldest) + move;
      before = price;
      oldest = start;
      // If the price has not moved for the whole period, the rest of the running sum is a rounding error.
      still = move === 0 ? still + 1 : 0;
      if (still >= period) path = 0;
      const travel = Math.abs(price - start);
      // Next to a very large move the sum loses the small ones to rounding, and can be less than the total change.
      const efficiency = path <= travel ? 1 : travel / path;
      const root = efficiency * range + slowest;
      const weight = root * root;
      average = average * (1 - weight) + price * weight;
      kama[i] = average;
    }
  },
  stream: streamKama,
});
