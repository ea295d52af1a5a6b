import { defineIndicator } from '../indicator.js';

/** Three exponential averages, each of the one before, put together so that their lags cancel. */
export const tema = defineIndicator({
  name: 'tema',
  title: 'Triple Exponential Moving Average',
  kind: 'trend',
  reference: 'Mulloy, Smoothing Data with Less Lag, TASC 1994; seeds as TA-Lib TEMA',
  inputs: ['close'],
  outputs: ['tema'],
  params: {
    period: { min: 2, max: 500, default: 20, title: 'Period in candles; the weight is 2 / (period + 1)' },
  },
  warmup: ({ period }) => 3 * period - 3,
  fill({ close }, { period }, { tema }) {
    const { length } = close;
    const warmup = 3 * period - 3;
    if (length <= warmup) return;
    const weight = 2 / (period + 1);
    const keep = 1 - weight;
    let sum = 0;
    for (let i = 0; i < period; i++) sum += close[i];
    let once = sum / period;
    sum = once;
    for (let i = period; i < 2 * period - 1; i++) {
      once = once * keep + close[i] * weight;
      sum += once;
    }
    let twice = sum / period;
    sum = twice;
    for (let i = 2 * period - 1; i <= warmup; i++) {
      once = once * keep + close[i] * weight;
      twice = twice * keep + once * weight;
      sum += twice;
    }
    let thrice = sum / period;
    tema[warmup] = thrice + (3 * once - 3 * twice);
    for (let i = warmup + 1; i < length; i++) {
      once = once * keep + close[i] * weight;
      twice = twice * keep + once * weight;
      thrice = thrice * keep + twice * weight;
      tema[i] = thrice + (3 * once - 3 * twice);
    }
  },
});
