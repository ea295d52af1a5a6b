import { definePattern } from '../model/pattern.js';

/** A short body above a long lower shadow, without an upper one, at or near the low of the candle before. */
export const hammer = definePattern({
  name: 'hammer',
  talib: 'HAMMER',
  title: 'Hammer',
  candles: 2,
  warmup: 11,
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.hasTinyUpperShadow(0) &&
      bars.hasLongLowerShadow(0) &&
      bars.isShort(0) &&
      bars.bottom(0) <= bars.low(1) + bars.near(1)
      ? 100
      : 0;
  },
});
