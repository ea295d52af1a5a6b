import { definePattern } from '../model/pattern.js';

/** Two long marubozu of different colour, the second beyond a gap against the first. */
export const kicking = definePattern({
  name: 'kicking',
  talib: 'KICKING',
  title: 'Kicking',
  candles: 2,
  warmup: 11,
  colours: ['BW', 'WB'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const isMarubozu = (age: number) =>
      bars.isLong(age) && bars.hasTinyUpperShadow(age) && bars.hasTinyLowerShadow(age);
    const turns = bars.isWhite(0) ? bars.gapsUp(0) : bars.gapsDown(0);
    return turns && isMarubozu(1) && isMarubozu(0) ? 100 * bars.colour(0) : 0;
  },
});
