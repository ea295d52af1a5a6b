import { definePattern } from '../model/pattern.js';

/**
 * Three white candles that close near their highs, higher each time, each opening in or near the body before;
 * none is far smaller than the one before, and the last is not short.
 */
export const threeWhiteSoldiers = definePattern({
  name: 'threeWhiteSoldiers',
  talib: '3WHITESOLDIERS',
  title: 'Three White Soldiers',
  candles: 3,
  warmup: 12,
  colours: ['WWW'],
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const follows = (age: number) =>
      bars.close(age) > bars.close(age + 1) &&
      bars.open(age) > bars.open(age + 1) &&
      bars.open(age) <= bars.close(age + 1) + bars.near(age + 1) &&
      bars.body(age) > bars.body(age + 1) - bars.far(age + 1);
    return follows(1) &&
      follows(0) &&
      bars.isLong(0) &&
      bars.hasTinyUpperShadow(2) &&
      bars.hasTinyUpperShadow(1) &&
      bars.hasTinyUpperShadow(0)
      ? 100
      : 0;
  },
});
