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
    const half = 0.5 / period;
    const keep = 1 - 1 / period;
    let before = close[0];
    let average = 0;
    // The true range by distances, as in `atr`.
    for (let i = 1; i <= period; i++) {
      const twice = Math.abs(high[i] - before) + Math.abs(low[i] - before) + (high[i] - low[i]);
      before = close[i];
      average += twice * half;
    }
    natr[period] = before > 0 ? (100 * average) / before : 0;
    for (let i = period + 1; i < length; i++) {
      const top = high[i];
      const bottom = low[i];
      const twice = Math.abs(top - before) + Math.abs(bottom - before) + (top - bottom);
      before = close[i];
      average = average * keep + twice * half;
      natr[i] = before > 0 ? (100 * average) / before : 0;
    }
  },
});
