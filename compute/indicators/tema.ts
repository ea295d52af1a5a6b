import { defineIndicator } from '../model/indicator.js';

/** Three nested exponential averages, combined so that their lags cancel. */
export const tema = defineIndicator({
  name: 'tema',
  title: 'Triple Exponential Moving Average',
  formula: '3 x EMA - 3 x EMA of EMA + EMA of EMA of EMA',
  reading: 'an average with still less lag than the DEMA',
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
    tema[warmup] = thrice + 3 * (once - twice);
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
      const twiceNow = twice * keep + c;
      twice = twice * keep2 + d;
      const e = twiceNow * weight;
      const f = e * keep + twice * weight;
      tema[i] = thrice * keep + e + 3 * (onceNow - twiceNow);
      thrice = thrice * keep2 + f;
      tema[i + 1] = thrice + 3 * (once - twice);
    }
    if (i < length) {
      once = once * keep + close[i] * weight;
      twice = twice * keep + once * weight;
      tema[i] = thrice * keep + twice * weight + 3 * (once - twice);
    }
  },
});
