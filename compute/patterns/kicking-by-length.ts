import { definePattern } from '../model/pattern.js';

/**
 * Two long marubozu of different colour, the second beyond a gap against the first; the value has the sign of
 * the longer.
 */
export const kickingByLength = definePattern({
  name: 'kickingByLength',
  talib: 'KICKINGBYLENGTH',
  title: 'Kicking By Length',
  candles: 2,
  warmup: 11,
  colours: ['BW', 'WB'],
  values: [-100, 100],
  reference: 'TA-Lib',
  match(bars) {
    const isMarubozu = (age: number) =>
      bars.isLong(age) && bars.hasTinyUpperShadow(age) && bars.hasTinyLowerShadow(age);
    const turns = bars.isWhite(0) ? bars.gapsUp(0) : bars.gapsDown(0);
    if (!turns || !isMarubozu(1) || !isMarubozu(0)) return 0;
    return 100 * bars.colour(bars.body(0) > bars.body(1) ? 0 : 1);
  },
});
