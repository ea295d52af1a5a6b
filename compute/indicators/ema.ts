import { defineIndicator } from '../model/indicator.js';
import { streamEma } from './streams/ema.js';

/** An average with exponentially falling weights; its first value is the mean of the first `period` closes. */
export const ema = defineIndicator({
  name: 'ema',
  title: 'Exponential Moving Average',
  formula: 'EMA before + 2 / (period + 1) x (close - EMA before), from the SMA of the first period',
  reading: 'price above a rising average: upward; newer closes weigh more than in the SMA',
  kind: 'trend',
  reference: 'TA-Lib EMA (default compatibility)',
  inputs: ['close'],
  outputs: ['ema'],
  params: {
    period: { min: 2, max: 500, default: 20, title: 'Period in candles; the weight is 2 / (period + 1)' },
  },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { ema }) {
    const { length } = close;
    if (length < period) return;
    let sum = 0;
    for (let i = 0; i < period; i++) sum += close[i];
    const weight = 2 / (period + 1);
    const keep = 1 - weight;
    const [keep2, keep3, keep4] = [keep * keep, keep * keep * keep, keep * keep * keep * keep];
    let average = sum / period;
    ema[period - 1] = average;
    let i = period;
    // Unrolled by four: the terms of the candles themselves (a to d) do not depend on the average before them, so they
    // are computed in parallel; the dependency between steps is what limits a recursion.
    for (; i + 3 < length; i += 4) {
      const a = close[i] * weight;
      const b = a * keep + close[i + 1] * weight;
      const c = b * keep + close[i + 2] * weight;
      const d = c * keep + close[i + 3] * weight;
      ema[i] = average * keep + a;
      ema[i + 1] = average * keep2 + b;
      ema[i + 2] = average * keep3 + c;
      average = average * keep4 + d;
      ema[i + 3] = average;
    }
    for (let kept = keep, added = 0; i < length; i++, kept *= keep) {
      added = added * keep + close[i] * weight;
      ema[i] = average * kept + added;
    }
  },
  stream: streamEma,
});
