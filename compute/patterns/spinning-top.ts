import { definePattern } from '../model/pattern.js';

/** A short body between two shadows longer than it; the value has the sign of the colour. */
export const spinningTop = definePattern({
  name: 'spinningTop',
  talib: 'SPINNINGTOP',
  title: 'Spinning Top',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  neutral: true,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.hasLongUpperShadow(0) && bars.hasLongLowerShadow(0) && bars.isShort(0)
      ? 100 * bars.colour(0)
      : 0;
  },
});
