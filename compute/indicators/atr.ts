import { defineIndicator } from '../indicator.js';
import { streamAtr } from './streams/atr.js';

/** The usual reach of one candle, gap from the close before included, in quote units. */
export const atr = defineIndicator({
  name: 'atr',
  title: 'Average True Range',
  kind: 'volatility',
  reference: 'Wilder, New Concepts in Technical Trading Systems, 1978; seed as TA-Lib ATR',
  inputs: ['high', 'low', 'close'],
  outputs: ['atr'],
  params: { period: { min: 1, max: 500, default: 14, title: 'Smoothing period in candles' } },
  warmup: ({ period }) => period,
  fill({ high, low, close }, { period }, { atr }) {
    const { length } = close;
    if (length <= period) return;
    const half = 0.5 / period;
    const keep = 1 - 1 / period;
    let before = close[0];
    let average = 0;
    // The true range by distances: the way from the close before to the high, to the low and between them is twice it.
    for (let i = 1; i <= period; i++) {
      const twice = Math.abs(high[i] - before) + Math.abs(low[i] - before) + (high[i] - low[i]);
      before = close[i];
      average += twice * half;
    }
    atr[period] = average;
    for (let i = period + 1; i < length; i++) {
      const top = high[i];
      const bottom = low[i];
      const twice = Math.abs(top - before) + Math.abs(bottom - before) + (top - bottom);
      before = close[i];
      average = average * keep + twice * half;
      atr[i] = average;
    }
  },
  stream: streamAtr,
});
