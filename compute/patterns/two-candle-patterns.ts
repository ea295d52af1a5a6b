import { definePattern, penetration, type Pattern } from '../model/pattern.js';

/** Patterns of two candles, in alphabetical order. */
export const twoCandlePatterns: readonly Pattern[] = [
  /** A long candle, and a long one of the other colour with the same close. */
  definePattern({
    name: 'counterattack',
    title: 'Counterattack',
    candles: 2,
    colours: ['BW', 'WB'],
    values: [-100, 100],
    match(bars) {
      return bars.isLong(1) && bars.isLong(0) && bars.isAt(bars.close(0), bars.close(1), bars.equal(1))
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A long white candle, and a black one that opens above its high and closes well into its body. */
  definePattern({
    name: 'darkCloudCover',
    title: 'Dark Cloud Cover',
    candles: 2,
    colours: ['WB'],
    values: [-100],
    params: { penetration: penetration(0.5) },
    match(bars, { penetration }) {
      if (bars.open(0) <= bars.high(1) || !bars.isLong(1)) return 0;
      const depth = bars.body(1) * penetration;
      return bars.close(0) > bars.open(1) && bars.close(0) < bars.close(1) - depth ? -100 : 0;
    },
  }),
  /** A long candle, and a doji whose body gaps in the same direction. */
  definePattern({
    name: 'dojiStar',
    title: 'Doji Star',
    candles: 2,
    values: [-100, 100],
    match(bars) {
      if (!bars.isLong(1) || !bars.isDoji(0)) return 0;
      if (bars.isWhite(1)) return bars.bodyGapsUp(0) ? -100 : 0;
      return bars.bodyGapsDown(0) ? 100 : 0;
    },
  }),
  /** A body that engulfs the previous one, of the other colour; 80 if they share one end. */
  definePattern({
    name: 'engulfing',
    title: 'Engulfing',
    candles: 2,
    warmup: 2,
    colours: ['BW', 'WB'],
    values: [-100, -80, 80, 100],
    match(bars) {
      const way = bars.colour(0);
      const above = way * (bars.close(0) - bars.open(1));
      const below = way * (bars.close(1) - bars.open(0));
      if (above < 0 || below < 0 || (above === 0 && below === 0)) return 0;
      return (above > 0 && below > 0 ? 100 : 80) * way;
    },
  }),
  /** A short body above a long lower shadow, without an upper one, at or near the low of the candle before. */
  definePattern({
    name: 'hammer',
    title: 'Hammer',
    candles: 2,
    values: [100],
    match(bars) {
      return bars.hasTinyUpperShadow(0) &&
        bars.hasLongLowerShadow(0) &&
        bars.isShort(0) &&
        bars.bottom(0) <= bars.low(1) + bars.near(1)
        ? 100
        : 0;
    },
  }),
  /**
   * A short body above a long lower shadow, without an upper one, at or near the high of the candle before.
   */
  definePattern({
    name: 'hangingMan',
    title: 'Hanging Man',
    candles: 2,
    values: [-100],
    match(bars) {
      return bars.hasTinyUpperShadow(0) &&
        bars.hasLongLowerShadow(0) &&
        bars.isShort(0) &&
        bars.bottom(0) >= bars.high(1) - bars.near(1)
        ? -100
        : 0;
    },
  }),
  /** A long body, and a doji within it; 80 if the two share an end. The sign is against the first candle. */
  definePattern({
    name: 'haramiCross',
    title: 'Harami Cross',
    candles: 2,
    values: [-100, -80, 80, 100],
    match(bars) {
      const above = bars.top(1) - bars.top(0);
      const below = bars.bottom(0) - bars.bottom(1);
      if (above < 0 || below < 0 || !bars.isLong(1) || !bars.isDoji(0)) return 0;
      return (above > 0 && below > 0 ? -100 : -80) * bars.colour(1);
    },
  }),
  /**
   * A long body, and a body that is not long within it; 80 if the two share an end. The sign is against the
   * first candle.
   */
  definePattern({
    name: 'harami',
    title: 'Harami',
    candles: 2,
    values: [-100, -80, 80, 100],
    match(bars) {
      const above = bars.top(1) - bars.top(0);
      const below = bars.bottom(0) - bars.bottom(1);
      if (above < 0 || below < 0 || !bars.isLong(1) || bars.isLong(0)) return 0;
      return (above > 0 && below > 0 ? -100 : -80) * bars.colour(1);
    },
  }),
  /** A long black candle, and a black one, not long, within its body. */
  definePattern({
    name: 'homingPigeon',
    title: 'Homing Pigeon',
    candles: 2,
    colours: ['BB'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.open(0) < bars.open(1) && bars.close(0) > bars.close(1) && bars.isLong(1) && !bars.isLong(0)
        ? 100
        : 0;
    },
  }),
  /**
   * A long black candle, and a white one that opens below its low and closes at or just above its close.
   */
  definePattern({
    name: 'inNeck',
    title: 'In-Neck',
    candles: 2,
    colours: ['BW'],
    values: [-100],
    match(bars) {
      return bars.open(0) < bars.low(1) &&
        bars.isLong(1) &&
        bars.close(0) >= bars.close(1) &&
        bars.close(0) <= bars.close(1) + bars.equal(1)
        ? -100
        : 0;
    },
  }),
  /** A short body below a long upper shadow, without a lower one, that gaps down from the body before. */
  definePattern({
    name: 'invertedHammer',
    title: 'Inverted Hammer',
    candles: 2,
    values: [100],
    match(bars) {
      return bars.bodyGapsDown(0) &&
        bars.isShort(0) &&
        bars.hasLongUpperShadow(0) &&
        bars.hasTinyLowerShadow(0)
        ? 100
        : 0;
    },
  }),
  /**
   * Two long marubozu of different colour, the second beyond a gap against the first; the value has the sign of
   * the longer.
   */
  definePattern({
    name: 'kickingByLength',
    title: 'Kicking By Length',
    candles: 2,
    colours: ['BW', 'WB'],
    values: [-100, 100],
    reference: 'TA-Lib',
    match(bars) {
      const isMarubozu = (age: number) =>
        bars.isLong(age) && bars.hasTinyUpperShadow(age) && bars.hasTinyLowerShadow(age);
      const turns = bars.isWhite(0) ? bars.gapsUp(0) : bars.gapsDown(0);
      if (!turns || !isMarubozu(1) || !isMarubozu(0)) return 0;
      return 100 * bars.colour(bars.body(0) > bars.body(1) ? 0 : 1);
    },
  }),
  /** Two long marubozu of different colour, the second beyond a gap against the first. */
  definePattern({
    name: 'kicking',
    title: 'Kicking',
    candles: 2,
    colours: ['BW', 'WB'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const isMarubozu = (age: number) =>
        bars.isLong(age) && bars.hasTinyUpperShadow(age) && bars.hasTinyLowerShadow(age);
      const turns = bars.isWhite(0) ? bars.gapsUp(0) : bars.gapsDown(0);
      return turns && isMarubozu(1) && isMarubozu(0) ? 100 * bars.colour(0) : 0;
    },
  }),
  /** Two black candles with the same close. */
  definePattern({
    name: 'matchingLow',
    title: 'Matching Low',
    candles: 2,
    warmup: 6,
    colours: ['BB'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isAt(bars.close(0), bars.close(1), bars.equal(1)) ? 100 : 0;
    },
  }),
  /** A long black candle, and a white one that opens below its low and closes at it. */
  definePattern({
    name: 'onNeck',
    title: 'On-Neck',
    candles: 2,
    colours: ['BW'],
    values: [-100],
    match(bars) {
      return bars.open(0) < bars.low(1) &&
        bars.isLong(1) &&
        bars.isAt(bars.close(0), bars.low(1), bars.equal(1))
        ? -100
        : 0;
    },
  }),
  /**
   * A long black candle, and a long white one that opens below its low and closes within its body, above the
   * middle.
   */
  definePattern({
    name: 'piercing',
    title: 'Piercing',
    candles: 2,
    colours: ['BW'],
    values: [100],
    match(bars) {
      if (bars.open(0) >= bars.low(1)) return 0;
      const pierces = bars.close(0) < bars.open(1) && bars.close(0) > bars.close(1) + bars.body(1) * 0.5;
      return pierces && bars.isLong(1) && bars.isLong(0) ? 100 : 0;
    },
  }),
  /** Two candles of different colour with the same open, the second long and open at its extreme. */
  definePattern({
    name: 'separatingLines',
    title: 'Separating Lines',
    candles: 2,
    colours: ['BW', 'WB'],
    values: [-100, 100],
    match(bars) {
      const separates = bars.isAt(bars.open(0), bars.open(1), bars.equal(1));
      if (!separates || !bars.isLong(0)) return 0;
      return (bars.isWhite(0) ? bars.hasTinyLowerShadow(0) : bars.hasTinyUpperShadow(0))
        ? 100 * bars.colour(0)
        : 0;
    },
  }),
  /** A short body below a long upper shadow, without a lower one, that gaps up from the body before. */
  definePattern({
    name: 'shootingStar',
    title: 'Shooting Star',
    candles: 2,
    values: [-100],
    match(bars) {
      return bars.bodyGapsUp(0) && bars.isShort(0) && bars.hasLongUpperShadow(0) && bars.hasTinyLowerShadow(0)
        ? -100
        : 0;
    },
  }),
  /**
   * A long black candle, and a white one that opens below its low and closes within its body, not above the
   * middle.
   */
  definePattern({
    name: 'thrusting',
    title: 'Thrusting',
    candles: 2,
    colours: ['BW'],
    values: [-100],
    match(bars) {
      if (bars.open(0) >= bars.low(1) || !bars.isLong(1)) return 0;
      const thrusts =
        bars.close(0) > bars.close(1) + bars.equal(1) && bars.close(0) <= bars.close(1) + bars.body(1) * 0.5;
      return thrusts ? -100 : 0;
    },
  }),
];
