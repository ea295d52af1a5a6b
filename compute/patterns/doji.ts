import { definePattern } from '../model/pattern.js';

/** A candle that closes at, or very near, its open. */
export const doji = definePattern({
  name: 'doji',
  talib: 'DOJI',
  title: 'Doji',
  candles: 1,
  warmup: 10,
  values: [100],
  neutral: true,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isDoji(0) ? 100 : 0;
  },
});
