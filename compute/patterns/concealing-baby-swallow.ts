import { definePattern } from '../model/pattern.js';

/**
 * Two black marubozu, a black candle that gaps down but reaches back up into the second, and a black one that
 * engulfs it, shadows included.
 */
export const concealingBabySwallow = definePattern({
  name: 'concealingBabySwallow',
  talib: 'CONCEALBABYSWALL',
  title: 'Concealing Baby Swallow',
  candles: 4,
  warmup: 13,
  colours: ['BBBB'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const isMarubozu = (age: number) => bars.hasTinyLowerShadow(age) && bars.hasTinyUpperShadow(age);
    const reachesBack = bars.upperShadow(1) > bars.tinyShadow(1) && bars.high(1) > bars.close(2);
    const isSwallowed = bars.high(0) > bars.high(1) && bars.low(0) < bars.low(1);
    return isMarubozu(3) && isMarubozu(2) && bars.bodyGapsDown(1) && reachesBack && isSwallowed ? 100 : 0;
  },
});
