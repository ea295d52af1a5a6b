import { definePattern, type Pattern } from '../model/pattern.js';

/** Patterns of one candle, in alphabetical order. */
export const oneCandlePatterns: readonly Pattern[] = [
  /** A long candle that opens at its extreme: a white one without a lower shadow, a black one without an upper shadow. */
  definePattern({
    name: 'beltHold',
    title: 'Belt-hold',
    candles: 1,
    values: [-100, 100],
    match(bars) {
      return bars.isLong(0) && (bars.isWhite(0) ? bars.hasTinyLowerShadow(0) : bars.hasTinyUpperShadow(0))
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A long candle that closes at its extreme: a white one without an upper shadow, a black one without a lower shadow. */
  definePattern({
    name: 'closingMarubozu',
    title: 'Closing Marubozu',
    candles: 1,
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isLong(0) && (bars.isWhite(0) ? bars.hasTinyUpperShadow(0) : bars.hasTinyLowerShadow(0))
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A candle that closes at, or very near, its open. */
  definePattern({
    name: 'doji',
    title: 'Doji',
    candles: 1,
    values: [100],
    neutral: true,
    match(bars) {
      return bars.isDoji(0) ? 100 : 0;
    },
  }),
  /** A doji at the top of its range: a lower shadow, no upper one. */
  definePattern({
    name: 'dragonflyDoji',
    title: 'Dragonfly Doji',
    candles: 1,
    values: [100],
    match(bars) {
      return bars.isDoji(0) && bars.hasTinyUpperShadow(0) && bars.lowerShadow(0) > bars.tinyShadow(0)
        ? 100
        : 0;
    },
  }),
  /** A doji at the bottom of its range: an upper shadow, no lower one. */
  definePattern({
    name: 'gravestoneDoji',
    title: 'Gravestone Doji',
    candles: 1,
    values: [100],
    match(bars) {
      return bars.isDoji(0) && bars.hasTinyLowerShadow(0) && bars.upperShadow(0) > bars.tinyShadow(0)
        ? 100
        : 0;
    },
  }),
  /** A short body between two very long shadows; the value has the sign of the colour. */
  definePattern({
    name: 'highWave',
    title: 'High-Wave',
    candles: 1,
    values: [-100, 100],
    neutral: true,
    match(bars) {
      return bars.hasVeryLongUpperShadow(0) && bars.hasVeryLongLowerShadow(0) && bars.isShort(0)
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A doji with a shadow, or two, longer than its body. */
  definePattern({
    name: 'longLeggedDoji',
    title: 'Long-Legged Doji',
    candles: 1,
    values: [100],
    neutral: true,
    match(bars) {
      return bars.isDoji(0) && (bars.hasLongLowerShadow(0) || bars.hasLongUpperShadow(0)) ? 100 : 0;
    },
  }),
  /** A long body between two short shadows; the value has the sign of the colour. */
  definePattern({
    name: 'longLine',
    title: 'Long Line',
    candles: 1,
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isLong(0) && bars.hasShortUpperShadow(0) && bars.hasShortLowerShadow(0)
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A long body without shadows; the value has the sign of the colour. */
  definePattern({
    name: 'marubozu',
    title: 'Marubozu',
    candles: 1,
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.hasTinyUpperShadow(0) && bars.hasTinyLowerShadow(0) && bars.isLong(0)
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A doji with two long shadows whose body lies near the middle of the range. */
  definePattern({
    name: 'rickshawMan',
    title: 'Rickshaw Man',
    candles: 1,
    values: [100],
    neutral: true,
    match(bars) {
      if (!bars.isDoji(0) || !bars.hasLongLowerShadow(0) || !bars.hasLongUpperShadow(0)) return 0;
      const middle = bars.low(0) + (bars.high(0) - bars.low(0)) / 2;
      return bars.bottom(0) <= middle + bars.near(0) && bars.top(0) >= middle - bars.near(0) ? 100 : 0;
    },
  }),
  /** A short body between two short shadows; the value has the sign of the colour. */
  definePattern({
    name: 'shortLine',
    title: 'Short Line',
    candles: 1,
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isShort(0) && bars.hasShortUpperShadow(0) && bars.hasShortLowerShadow(0)
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A short body between two shadows longer than it; the value has the sign of the colour. */
  definePattern({
    name: 'spinningTop',
    title: 'Spinning Top',
    candles: 1,
    values: [-100, 100],
    neutral: true,
    match(bars) {
      return bars.hasLongUpperShadow(0) && bars.hasLongLowerShadow(0) && bars.isShort(0)
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A dragonfly doji with a very long lower shadow. */
  definePattern({
    name: 'takuri',
    title: 'Takuri',
    candles: 1,
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isDoji(0) && bars.hasTinyUpperShadow(0) && bars.hasVeryLongLowerShadow(0) ? 100 : 0;
    },
  }),
];
