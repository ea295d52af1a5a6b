import { definePattern } from '../model/pattern.js';

/** A long candle that closes at its extreme: a white one without an upper shadow, a black one without a lower shadow. */
export const closingMarubozu = definePattern({
  name: 'closingMarubozu',
  talib: 'CLOSINGMARUBOZU',
  title: 'Closing Marubozu',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isLong(0) && (bars.isWhite(0) ? bars.hasTinyUpperShadow(0) : bars.hasTinyLowerShadow(0))
      ? 100 * bars.colour(0)
      : 0;
  },
});
