import { definePattern } from '../model/pattern.js';

/**
 * After a white candle three black ones that close near their lows, lower each time, the second and third
 * opening inside the body before; the first closes below the white high.
 */
export const threeBlackCrows = definePattern({
  name: 'threeBlackCrows',
  talib: '3BLACKCROWS',
  title: 'Three Black Crows',
  candles: 4,
  warmup: 13,
  colours: ['WBBB'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const opensInside = (age: number) =>
      bars.open(age) < bars.open(age + 1) && bars.open(age) > bars.close(age + 1);
    const falls =
      bars.high(3) > bars.close(2) && bars.close(2) > bars.close(1) && bars.close(1) > bars.close(0);
    return falls &&
      opensInside(1) &&
      opensInside(0) &&
      bars.hasTinyLowerShadow(2) &&
      bars.hasTinyLowerShadow(1) &&
      bars.hasTinyLowerShadow(0)
      ? -100
      : 0;
  },
});
