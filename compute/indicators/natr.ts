import { defineIndicator } from '../model/indicator.js';

/** The Average True Range in percent of the close, comparable between pairs of different price. */
export const natr = defineIndicator({
  name: 'natr',
  title: 'Normalized Average True Range',
  formula: '100 x ATR / close',
  reading: 'the usual move of a candle in percent, comparable over assets',
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
    const [keep2, keep3, keep4] = [keep * keep, keep * keep * keep, keep * keep * keep * keep];
    let before = close[0];
    let average = 0;
    let i = 1;
    for (; i <= period; i++) {
      average += (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
    }
    natr[period] = before > 0 ? (100 * average) / before : 0;
    // Unrolled by four, as `atr`.
    for (; i + 3 < length; i += 4) {
      const p = close[i];
      const q = close[i + 1];
      const r = close[i + 2];
      const s = close[i + 3];
      let top = high[i];
      let bottom = low[i];
      const a = ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      top = high[i + 1];
      bottom = low[i + 1];
      const b = a * keep + ((p > top ? p : top) - (p < bottom ? p : bottom)) * share;
      top = high[i + 2];
      bottom = low[i + 2];
      const c = b * keep + ((q > top ? q : top) - (q < bottom ? q : bottom)) * share;
      top = high[i + 3];
      bottom = low[i + 3];
      const d = c * keep + ((r > top ? r : top) - (r < bottom ? r : bottom)) * share;
      natr[i] = p > 0 ? (100 * (average * keep + a)) / p : 0;
      natr[i + 1] = q > 0 ? (100 * (average * keep2 + b)) / q : 0;
      natr[i + 2] = r > 0 ? (100 * (average * keep3 + c)) / r : 0;
      average = average * keep4 + d;
      natr[i + 3] = s > 0 ? (100 * average) / s : 0;
      before = s;
    }
    for (let kept = keep, added = 0; i < length; i++, kept *= keep) {
      added = added * keep + (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
      natr[i] = before > 0 ? (100 * (average * kept + added)) / before : 0;
    }
  },
});
