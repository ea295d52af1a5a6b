import { definePattern } from '../model/pattern.js';

/** A short body below a long upper shadow, without a lower one, that gaps down from the body before. */
export const invertedHammer = definePattern({
  name: 'invertedHammer',
  talib: 'INVERTEDHAMMER',
  title: 'Inverted Hammer',
  candles: 2,
  warmup: 11,
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.bodyGapsDown(0) && bars.isShort(0) && bars.hasLongUpperShadow(0) && bars.hasTinyLowerShadow(0)
      ? 100
      : 0;
  },
});
