import { definePattern } from '../pattern.js';

/**
 * Three black candles that close near their lows, lower each time, each opening where the one before closed.
 */
export const identicalThreeCrows = definePattern({
  name: 'identicalThreeCrows',
  talib: 'IDENTICAL3CROWS',
  title: 'Identical Three Crows',
  candles: 3,
  warmup: 12,
  values: [-100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const isCrow = (age: number) => bars.isBlack(age) && bars.hasTinyLowerShadow(age);
    const follows = (age: number) =>
      bars.close(age) < bars.close(age + 1) &&
      bars.isAt(bars.open(age), bars.close(age + 1), bars.equal(age + 1));
    return isCrow(2) && isCrow(1) && isCrow(0) && follows(1) && follows(0) ? -100 : 0;
  },
});
