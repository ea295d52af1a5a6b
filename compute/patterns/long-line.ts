import { definePattern } from '../model/pattern.js';

/** A long body between two short shadows; the value has the sign of the colour. */
export const longLine = definePattern({
  name: 'longLine',
  talib: 'LONGLINE',
  title: 'Long Line',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isLong(0) && bars.hasShortUpperShadow(0) && bars.hasShortLowerShadow(0)
      ? 100 * bars.colour(0)
      : 0;
  },
});
