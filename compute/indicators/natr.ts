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
    const keep2 = keep * keep;
    let before = close[0];
    let average = 0;
    let i = 1;
    for (; i <= period; i++) {
      average += (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
    }
    natr[period] = before > 0 ? (100 * average) / before : 0;
    // Two candles at a time, as `atr` takes four.
    for (; i + 1 < length; i += 2) {
      const top = high[i];
      const bottom = low[i];
      const price = close[i];
      const peak = high[i + 1];
      const trough = low[i + 1];
      const next = close[i + 1];
      const a = ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      const b = a * keep + ((price > peak ? price : peak) - (price < trough ? price : trough)) * share;
      natr[i] = price > 0 ? (100 * (average * keep + a)) / price : 0;
      average = average * keep2 + b;
      natr[i + 1] = next > 0 ? (100 * average) / next : 0;
      before = next;
    }
    if (i < length) {
      const range = Math.max(high[i], before) - Math.min(low[i], before);
      natr[i] = close[i] > 0 ? (100 * (average * keep + range * share)) / close[i] : 0;
    }
  },
});
