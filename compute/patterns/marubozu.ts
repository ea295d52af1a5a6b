import { definePattern } from '../model/pattern.js';

/** A long body without shadows; the value has the sign of the colour. */
export const marubozu = definePattern({
  name: 'marubozu',
  talib: 'MARUBOZU',
  title: 'Marubozu',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.hasTinyUpperShadow(0) && bars.hasTinyLowerShadow(0) && bars.isLong(0)
      ? 100 * bars.colour(0)
      : 0;
  },
});
