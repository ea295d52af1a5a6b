import { priceRounding } from '../model/price-rounding.js';
import { computeIndicator } from '../model/indicator.js';
import { ema } from '../indicators/ema.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Long while the fast average is above the slow one. */
export const emaCross = defineStrategy({
  name: 'ema_cross',
  title: 'EMA cross',
  rule: 'Long while the fast exponential average is above the slow one, flat otherwise.',
  params: {
    fast: { min: 2, max: 200, default: 20, title: 'Period of the fast average in candles' },
    slow: { min: 3, max: 500, default: 50, title: 'Period of the slow average in candles' },
  },
  allows: ({ fast, slow }) => fast < slow,
  allowed: 'fast must be below slow',
  ready: ({ fast, slow }) => Math.max(fast, slow) - 1,
  fill(candles, { fast, slow }, targets, scratch) {
    const fastLine = computeIndicator(ema, candles, { period: fast }, scratch).ema;
    const slowLine = computeIndicator(ema, candles, { period: slow }, scratch).ema;
    const { close } = candles;
    // During the warm-up one value is NaN, so the comparison is false and the target is flat. While the price
    // does not move, the averages differ only by rounding.
    for (let i = 0; i < targets.length; i++)
      targets[i] = fastLine[i] - slowLine[i] > priceRounding(close[i]) ? target.long : target.flat;
  },
});
