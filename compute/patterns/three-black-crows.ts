import { definePattern } from '../pattern.js';

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
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const isCrow = (age: number) => bars.isBlack(age) && bars.hasTinyLowerShadow(age);
    const opensInside = (age: number) =>
      bars.open(age) < bars.open(age + 1) && bars.open(age) > bars.close(age + 1);
    const falls =
      bars.high(3) > bars.close(2) && bars.close(2) > bars.close(1) && bars.close(1) > bars.close(0);
    return falls && bars.isWhite(3) && isCrow(2) && isCrow(1) && isCrow(0) && opensInside(1) && opensInside(0)
      ? -100
      : 0;
  },
});
