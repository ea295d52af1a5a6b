import { definePattern } from '../model/pattern.js';

/** A doji at the top of its range: a lower shadow, no upper one. */
export const dragonflyDoji = definePattern({
  name: 'dragonflyDoji',
  talib: 'DRAGONFLYDOJI',
  title: 'Dragonfly Doji',
  candles: 1,
  warmup: 10,
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isDoji(0) && bars.hasTinyUpperShadow(0) && bars.lowerShadow(0) > bars.tinyShadow(0) ? 100 : 0;
  },
});
