import { definePattern } from '../model/pattern.js';

/** A short body between two short shadows; the value has the sign of the colour. */
export const shortLine = definePattern({
  name: 'shortLine',
  talib: 'SHORTLINE',
  title: 'Short Line',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isShort(0) && bars.hasShortUpperShadow(0) && bars.hasShortLowerShadow(0)
      ? 100 * bars.colour(0)
      : 0;
  },
});
