import { defineIndicator } from '../indicator.js';
import { streamEma } from './streams/ema.js';

/** An average whose weights fall off exponentially, seeded by the plain mean of the first period. */
export const ema = defineIndicator({
  name: 'ema',
  title: 'Exponential Moving Average',
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
    let average = sum / period;
    ema[period - 1] = average;
    for (let i = period; i < length; i++) {
      average = average * keep + close[i] * weight;
      ema[i] = average;
    }
  },
  stream: streamEma,
});
