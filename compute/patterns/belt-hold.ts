import { definePattern } from '../model/pattern.js';

/** A long candle that opens at its extreme: a white one without a lower shadow, a black one without an upper shadow. */
export const beltHold = definePattern({
  name: 'beltHold',
  talib: 'BELTHOLD',
  title: 'Belt-hold',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isLong(0) && (bars.isWhite(0) ? bars.hasTinyLowerShadow(0) : bars.hasTinyUpperShadow(0))
      ? 100 * bars.colour(0)
      : 0;
  },
});
