import { definePattern } from '../model/pattern.js';

/**
 * Three black candles that weaken: a long one with a long lower shadow, a smaller one whose low is not lower, and a
 * small marubozu within the range of the second.
 */
export const threeStarsInSouth = definePattern({
  name: 'threeStarsInSouth',
  talib: '3STARSINSOUTH',
  title: 'Three Stars In The South',
  candles: 3,
  warmup: 12,
  colours: ['BBB'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const falls = bars.isLong(2) && bars.hasLongLowerShadow(2);
    const slows =
      bars.body(1) < bars.body(2) &&
      bars.open(1) > bars.close(2) &&
      bars.open(1) <= bars.high(2) &&
      bars.low(1) < bars.close(2) &&
      bars.low(1) >= bars.low(2) &&
      bars.lowerShadow(1) > bars.tinyShadow(1);
    const stops =
      bars.isShort(0) &&
      bars.hasTinyLowerShadow(0) &&
      bars.hasTinyUpperShadow(0) &&
      bars.low(0) > bars.low(1) &&
      bars.high(0) < bars.high(1);
    return falls && slows && stops ? 100 : 0;
  },
});
