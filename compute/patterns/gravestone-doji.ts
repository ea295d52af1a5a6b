import { definePattern } from '../model/pattern.js';

/** A doji at the bottom of its range: an upper shadow, no lower one. */
export const gravestoneDoji = definePattern({
  name: 'gravestoneDoji',
  talib: 'GRAVESTONEDOJI',
  title: 'Gravestone Doji',
  candles: 1,
  warmup: 10,
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isDoji(0) && bars.hasTinyLowerShadow(0) && bars.upperShadow(0) > bars.tinyShadow(0) ? 100 : 0;
  },
});
