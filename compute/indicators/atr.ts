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
    const share = 1 / period;
    const keep = 1 - share;
    let before = close[0];
    let average = 0;
    for (let i = 1; i <= period; i++) {
      average += (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
    }
    atr[period] = average;
    for (let i = period + 1; i < length; i++) {
      const range = Math.max(high[i], before) - Math.min(low[i], before);
      before = close[i];
      average = average * keep + range * share;
      atr[i] = average;
    }
  },
  stream: streamAtr,
});
