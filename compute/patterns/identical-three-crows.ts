import { definePattern } from '../model/pattern.js';

/**
 * Three black candles that close near their lows, lower each time, each opening where the one before closed.
 */
export const identicalThreeCrows = definePattern({
  name: 'identicalThreeCrows',
  talib: 'IDENTICAL3CROWS',
  title: 'Identical Three Crows',
  candles: 3,
  warmup: 12,
  colours: ['BBB'],
  values: [-100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const follows = (age: number) =>
      bars.close(age) < bars.close(age + 1) &&
      bars.isAt(bars.open(age), bars.close(age + 1), bars.equal(age + 1));
    return follows(1) &&
      follows(0) &&
      bars.hasTinyLowerShadow(2) &&
      bars.hasTinyLowerShadow(1) &&
      bars.hasTinyLowerShadow(0)
      ? -100
      : 0;
  },
});
