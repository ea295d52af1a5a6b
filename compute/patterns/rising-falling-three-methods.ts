import { definePattern } from '../model/pattern.js';

/**
 * A long candle, three short ones of the other colour that step back within its range, and a long one of its
 * colour that goes beyond its close.
 */
export const risingFallingThreeMethods = definePattern({
  name: 'risingFallingThreeMethods',
  talib: 'RISEFALL3METHODS',
  title: 'Rising/Falling Three Methods',
  candles: 5,
  warmup: 14,
  colours: ['BWWWB', 'WBBBW'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const way = bars.colour(4);
    if (!bars.isLong(4) || !bars.isLong(0)) return 0;
    const rests = (age: number) =>
      bars.isShort(age) && bars.bottom(age) < bars.high(4) && bars.top(age) > bars.low(4);
    const stepsBack = (age: number) => way * bars.close(age) < way * bars.close(age + 1);
    const goesOn = way * bars.open(0) > way * bars.close(1) && way * bars.close(0) > way * bars.close(4);
    return rests(3) && rests(2) && rests(1) && stepsBack(2) && stepsBack(1) && goesOn ? 100 * way : 0;
  },
});
