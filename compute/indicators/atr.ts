import { defineIndicator } from '../model/indicator.js';
import { streamAtr } from './streams/atr.js';

/** The mean range of a candle, with the gap from the previous close, by Wilder's average; in quote units. */
export const atr = defineIndicator({
  name: 'atr',
  title: 'Average True Range',
  formula:
    "Wilder's average of the true range, the largest of high - low, |high - close before| and |low - close before|",
  reading:
    'the usual move of a candle in quote currency; doubles and halves with volatility, says nothing of direction',
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
    const [keep2, keep3, keep4] = [keep * keep, keep * keep * keep, keep * keep * keep * keep];
    let before = close[0];
    let average = 0;
    let i = 1;
    for (; i <= period; i++) {
      average += (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
    }
    atr[period] = average;
    // Unrolled by four, as `ema`. These branches are predictable: the previous close is nearly always within the candle.
    for (; i + 3 < length; i += 4) {
      let top = high[i];
      let bottom = low[i];
      const a = ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      before = close[i];
      top = high[i + 1];
      bottom = low[i + 1];
      const b = a * keep + ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      before = close[i + 1];
      top = high[i + 2];
      bottom = low[i + 2];
      const c = b * keep + ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      before = close[i + 2];
      top = high[i + 3];
      bottom = low[i + 3];
      const d = c * keep + ((before > top ? before : top) - (before < bottom ? before : bottom)) * share;
      before = close[i + 3];
      atr[i] = average * keep + a;
      atr[i + 1] = average * keep2 + b;
      atr[i + 2] = average * keep3 + c;
      average = average * keep4 + d;
      atr[i + 3] = average;
    }
    for (let kept = keep, added = 0; i < length; i++, kept *= keep) {
      added = added * keep + (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
      atr[i] = average * kept + added;
    }
  },
  stream: streamAtr,
});
