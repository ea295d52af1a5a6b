import { definePattern } from '../model/pattern.js';

/** A doji with a shadow, or two, longer than its body. */
export const longLeggedDoji = definePattern({
  name: 'longLeggedDoji',
  talib: 'LONGLEGGEDDOJI',
  title: 'Long-Legged Doji',
  candles: 1,
  warmup: 10,
  values: [100],
  neutral: true,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isDoji(0) && (bars.hasLongLowerShadow(0) || bars.hasLongUpperShadow(0)) ? 100 : 0;
  },
});
