import { defineIndicator } from '../model/indicator.js';

/** Twice an exponential average minus the exponential average of it, which removes most of the lag. */
export const dema = defineIndicator({
  name: 'dema',
  title: 'Double Exponential Moving Average',
  formula: '2 x EMA - EMA of EMA',
  reading: 'an average with less lag than the EMA; price above it and rising: upward',
  kind: 'trend',
  reference: 'Mulloy, Smoothing Data with Faster Moving Averages, TASC 1994; seeds as TA-Lib DEMA',
  inputs: ['close'],
  outputs: ['dema'],
  params: {
    period: { min: 2, max: 500, default: 20, title: 'Period in candles; the weight is 2 / (period + 1)' },
  },
  warmup: ({ period }) => 2 * period - 2,
  fill({ close }, { period }, { dema }) {
    const { length } = close;
    const warmup = 2 * period - 2;
    if (length <= warmup) return;
    const weight = 2 / (period + 1);
    const keep = 1 - weight;
    let sum = 0;
    for (let i = 0; i < period; i++) sum += close[i];
    let once = sum / period;
    sum = once;
    for (let i = period; i <= warmup; i++) {
      once = once * keep + close[i] * weight;
      sum += once;
    }
    let twice = sum / period;
    dema[warmup] = 2 * once - twice;
    const keep2 = keep * keep;
    let i = warmup + 1;
    // Unrolled by two, as `ema` by four: the second candle is computed from the averages before the first.
    for (; i + 1 < length; i += 2) {
      const a = close[i] * weight;
      const b = a * keep + close[i + 1] * weight;
      const onceNow = once * keep + a;
      once = once * keep2 + b;
      const c = onceNow * weight;
      const d = c * keep + once * weight;
      dema[i] = 2 * onceNow - (twice * keep + c);
      twice = twice * keep2 + d;
      dema[i + 1] = 2 * once - twice;
    }
    if (i < length) {
      once = once * keep + close[i] * weight;
      dema[i] = 2 * once - (twice * keep + once * weight);
    }
  },
});
