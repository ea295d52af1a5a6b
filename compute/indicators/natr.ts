import { defineIndicator } from '../indicator.js';

/** The Average True Range in percent of the close, so that pairs of different price compare. */
export const natr = defineIndicator({
  name: 'natr',
  title: 'Normalized Average True Range',
  kind: 'volatility',
  reference: 'Forman, Cross-Market Evaluations with Normalized Average True Range, TASC 2006; as TA-Lib NATR',
  inputs: ['high', 'low', 'close'],
  outputs: ['natr'],
  params: { period: { min: 2, max: 500, default: 14, title: 'Smoothing period in candles' } },
  warmup: ({ period }) => period,
  fill({ high, low, close }, { period }, { natr }) {
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
    natr[period] = before > 0 ? (100 * average) / before : 0;
    for (let i = period + 1; i < length; i++) {
      const range = Math.max(high[i], before) - Math.min(low[i], before);
      before = close[i];
      average = average * keep + range * share;
      natr[i] = before > 0 ? (100 * average) / before : 0;
    }
  },
});
