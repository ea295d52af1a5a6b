import { definePattern, penetration, type Pattern } from '../model/pattern.js';
import type { Bars } from './rules/bars.js';
import { confirmedSignal } from './rules/confirmed-signal.js';

function weakens(bars: Bars): boolean {
  const [first, second, third] = [bars.body(2), bars.body(1), bars.body(0)];
  if (third < second - bars.far(1)) return true;
  if (second < first - bars.far(2) && third < second + bars.near(1)) return true;
  if (third >= second) return false;
  const meetsSellers = bars.upperShadow(0) > bars.shortShadow(0) || bars.upperShadow(1) > bars.shortShadow(1);
  return bars.hasLongUpperShadow(0) || (second < first && meetsSellers);
}

function trap(bars: Bars): number {
  if (bars.high(1) >= bars.high(2) || bars.low(1) <= bars.low(2)) return 0;
  if (bars.high(0) < bars.high(1) && bars.low(0) < bars.low(1)) return 100;
  return bars.high(0) > bars.high(1) && bars.low(0) > bars.low(1) ? -100 : 0;
}

/** Patterns of three candles, in alphabetical order. */
export const threeCandlePatterns: readonly Pattern[] = [
  /**
   * A long candle, a doji with a gap on either side, shadows included, and a candle of the other
   * colour that closes well into the first body.
   */
  definePattern({
    name: 'abandonedBaby',
    title: 'Abandoned Baby',
    candles: 3,
    colours: ['B.W', 'W.B'],
    values: [-100, 100],
    params: { penetration: penetration(0.3) },
    match(bars, { penetration }) {
      if (!bars.isLong(2) || !bars.isDoji(1) || !bars.isLong(0)) return 0;
      const depth = bars.body(2) * penetration;
      if (bars.isWhite(0))
        return bars.gapsDown(1) && bars.gapsUp(0) && bars.close(0) > bars.close(2) + depth ? 100 : 0;
      return bars.gapsUp(1) && bars.gapsDown(0) && bars.close(0) < bars.close(2) - depth ? -100 : 0;
    },
  }),
  /**
   * Three white candles with higher closes, each opening in or near the body before, of which the later ones
   * weaken: smaller bodies or longer upper shadows.
   */
  definePattern({
    name: 'advanceBlock',
    title: 'Advance Block',
    candles: 3,
    colours: ['WWW'],
    values: [-100],
    match(bars) {
      const advances = (age: number) =>
        bars.close(age) > bars.close(age + 1) &&
        bars.open(age) > bars.open(age + 1) &&
        bars.open(age) <= bars.close(age + 1) + bars.near(age + 1);
      if (!advances(1) || !advances(0)) return 0;
      return bars.isLong(2) && bars.hasShortUpperShadow(2) && weakens(bars) ? -100 : 0;
    },
  }),
  /**
   * A long white candle, a doji whose body gaps up, and a black candle, not a short one, that closes well into
   * the first body.
   */
  definePattern({
    name: 'eveningDojiStar',
    title: 'Evening Doji Star',
    candles: 3,
    colours: ['W.B'],
    values: [-100],
    params: { penetration: penetration(0.3) },
    match(bars, { penetration }) {
      if (!bars.bodyGapsUp(1)) return 0;
      const reaches = bars.close(0) < bars.close(2) - bars.body(2) * penetration;
      return reaches && bars.isLong(2) && bars.isDoji(1) && bars.isLong(0) ? -100 : 0;
    },
  }),
  /**
   * A long white candle, a small body that gaps up, and a black candle that is not short and closes well into
   * the first body.
   */
  definePattern({
    name: 'eveningStar',
    title: 'Evening Star',
    candles: 3,
    colours: ['W.B'],
    values: [-100],
    params: { penetration: penetration(0.3) },
    match(bars, { penetration }) {
      if (!bars.bodyGapsUp(1)) return 0;
      const reaches = bars.close(0) < bars.close(2) - bars.body(2) * penetration;
      return reaches && bars.isLong(2) && !bars.isLong(1) && bars.isLong(0) ? -100 : 0;
    },
  }),
  /**
   * Two white candles of like size with the same open, side by side beyond a gap from the candle before them;
   * the value has the sign of the gap.
   */
  definePattern({
    name: 'gappingSideBySideWhiteLines',
    talib: 'GAPSIDESIDEWHITE',
    title: 'Gapping Side-by-side White Lines',
    candles: 3,
    warmup: 7,
    colours: ['.WW'],
    values: [-100, 100],
    match(bars) {
      const isUp = bars.bodyGapsUp(1) && bars.bodyGapsUp(0, 2);
      const isDown = bars.bodyGapsDown(1) && bars.bodyGapsDown(0, 2);
      if (!isUp && !isDown) return 0;
      const isTwin =
        bars.isAt(bars.body(0), bars.body(1), bars.near(1)) &&
        bars.isAt(bars.open(0), bars.open(1), bars.equal(1));
      if (!isTwin) return 0;
      return isUp ? 100 : -100;
    },
  }),
  /**
   * An inside bar and a false break: a lower high with a lower low is a trap for sellers, a higher high with a
   * higher low one for buyers; doubled where a close beyond the inside bar confirms it.
   */
  definePattern({
    name: 'hikkake',
    title: 'Hikkake',
    candles: 3,
    warmup: 5,
    confirmation: 3,
    values: [-200, -100, 100, 200],
    reference: 'Chesler, Trading False Moves with the Hikkake Pattern, 2004',
    match: (bars) => confirmedSignal(bars, trap),
  }),
  /**
   * Three black candles that close near their lows, lower each time, each opening where the one before closed.
   */
  definePattern({
    name: 'identicalThreeCrows',
    talib: 'IDENTICAL3CROWS',
    title: 'Identical Three Crows',
    candles: 3,
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
  }),
  /**
   * A long black candle, a doji whose body gaps down, and a white candle, not a short one, that closes well
   * into the first body.
   */
  definePattern({
    name: 'morningDojiStar',
    title: 'Morning Doji Star',
    candles: 3,
    colours: ['B.W'],
    values: [100],
    params: { penetration: penetration(0.3) },
    match(bars, { penetration }) {
      if (!bars.bodyGapsDown(1)) return 0;
      const reaches = bars.close(0) > bars.close(2) + bars.body(2) * penetration;
      return reaches && bars.isLong(2) && bars.isDoji(1) && bars.isLong(0) ? 100 : 0;
    },
  }),
  /**
   * A long black candle, a small body that gaps down, and a white candle, not a short one, that closes well
   * into the first body.
   */
  definePattern({
    name: 'morningStar',
    title: 'Morning Star',
    candles: 3,
    colours: ['B.W'],
    values: [100],
    params: { penetration: penetration(0.3) },
    match(bars, { penetration }) {
      if (!bars.bodyGapsDown(1)) return 0;
      const reaches = bars.close(0) > bars.close(2) + bars.body(2) * penetration;
      return reaches && bars.isLong(2) && !bars.isLong(1) && bars.isLong(0) ? 100 : 0;
    },
  }),
  /**
   * Two long white candles with higher closes, the second near its high, and a short white one that opens near
   * the close of the second.
   */
  definePattern({
    name: 'stalledPattern',
    title: 'Stalled Pattern',
    candles: 3,
    colours: ['WWW'],
    values: [-100],
    match(bars) {
      const rises = bars.close(0) > bars.close(1) && bars.close(1) > bars.close(2);
      if (!rises || !bars.isLong(2) || !bars.isLong(1) || !bars.isShort(0)) return 0;
      const follows = bars.open(1) > bars.open(2) && bars.open(1) <= bars.close(2) + bars.near(2);
      const rides = bars.open(0) >= bars.close(1) - bars.body(0) - bars.near(1);
      return follows && bars.hasTinyUpperShadow(1) && rides ? -100 : 0;
    },
  }),
  /**
   * A white candle that trades above the close of the black one before, between two black candles with the same
   * close.
   */
  definePattern({
    name: 'stickSandwich',
    title: 'Stick Sandwich',
    candles: 3,
    warmup: 7,
    colours: ['BWB'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.low(1) > bars.close(2) && bars.isAt(bars.close(0), bars.close(2), bars.equal(2)) ? 100 : 0;
    },
  }),
  /**
   * A body beyond a gap, and one of like size and other colour that opens inside it and closes within the gap;
   * the value has the sign of the gap.
   */
  definePattern({
    name: 'tasukiGap',
    title: 'Tasuki Gap',
    candles: 3,
    warmup: 7,
    colours: ['.BW', '.WB'],
    values: [-100, 100],
    match(bars) {
      const way = bars.colour(1);
      if (!(way > 0 ? bars.bodyGapsUp(1) : bars.bodyGapsDown(1))) return 0;
      const opensInside = way * bars.open(0) < way * bars.close(1) && way * bars.open(0) > way * bars.open(1);
      const edge = way > 0 ? bars.top(2) : bars.bottom(2);
      const closesInGap = way * bars.close(0) < way * bars.open(1) && way * bars.close(0) > way * edge;
      return opensInside && closesInGap && Math.abs(bars.body(1) - bars.body(0)) < bars.near(1)
        ? 100 * way
        : 0;
    },
  }),
  /**
   * A confirmed harami: a long body, a small one inside it, and a candle of the other colour that closes
   * beyond the open of the first.
   */
  definePattern({
    name: 'threeInside',
    talib: '3INSIDE',
    title: 'Three Inside',
    candles: 3,
    colours: ['B.W', 'W.B'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const isInside = bars.top(1) < bars.top(2) && bars.bottom(1) > bars.bottom(2);
      if (!isInside || !bars.isLong(2) || bars.isLong(1)) return 0;
      if (bars.isWhite(0)) return bars.close(0) > bars.open(2) ? 100 : 0;
      return bars.close(0) < bars.open(2) ? -100 : 0;
    },
  }),
  /** A confirmed engulfing: a body engulfed by one of the other colour, and a further close in its direction. */
  definePattern({
    name: 'threeOutside',
    talib: '3OUTSIDE',
    title: 'Three Outside',
    candles: 3,
    warmup: 3,
    colours: ['BW.', 'WB.'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const way = bars.colour(1);
      const swallows = way * bars.close(1) > way * bars.open(2) && way * bars.open(1) < way * bars.close(2);
      return swallows && way * bars.close(0) > way * bars.close(1) ? 100 * way : 0;
    },
  }),
  /**
   * Three black candles that weaken: a long one with a long lower shadow, a smaller one whose low is not lower, and a
   * small marubozu within the range of the second.
   */
  definePattern({
    name: 'threeStarsInSouth',
    talib: '3STARSINSOUTH',
    title: 'Three Stars In The South',
    candles: 3,
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
  }),
  /**
   * Three white candles that close near their highs, higher each time, each opening in or near the body before;
   * none is far smaller than the one before, and the last is not short.
   */
  definePattern({
    name: 'threeWhiteSoldiers',
    talib: '3WHITESOLDIERS',
    title: 'Three White Soldiers',
    candles: 3,
    colours: ['WWW'],
    values: [100],
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
  }),
  /**
   * Three doji, the middle one beyond a gap from the first and beyond the third; all three are measured by the
   * candles before the first.
   */
  definePattern({
    name: 'tristar',
    title: 'Tristar',
    candles: 3,
    values: [-100, 100],
    match(bars) {
      if (!bars.isDoji(2) || !bars.isDoji(1, 2) || !bars.isDoji(0, 2)) return 0;
      if (bars.bodyGapsUp(1)) return bars.top(0) < bars.top(1) ? -100 : 0;
      return bars.bodyGapsDown(1) && bars.bottom(0) > bars.bottom(1) ? 100 : 0;
    },
  }),
  /**
   * A long white candle, a black one whose body gaps up, and a second black one that opens inside the first
   * crow and closes inside the white body.
   */
  definePattern({
    name: 'twoCrows',
    talib: '2CROWS',
    title: 'Two Crows',
    candles: 3,
    colours: ['WBB'],
    values: [-100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      return bars.isLong(2) &&
        bars.bodyGapsUp(1) &&
        bars.open(0) < bars.open(1) &&
        bars.open(0) > bars.close(1) &&
        bars.close(0) > bars.open(2) &&
        bars.close(0) < bars.close(2)
        ? -100
        : 0;
    },
  }),
  /**
   * A long black candle, a black harami that makes a new low, and a short white one that opens above that low.
   */
  definePattern({
    name: 'uniqueThreeRiver',
    talib: 'UNIQUE3RIVER',
    title: 'Unique Three River',
    candles: 3,
    colours: ['BBW'],
    values: [100],
    match(bars) {
      const isHarami =
        bars.close(1) > bars.close(2) && bars.open(1) <= bars.open(2) && bars.low(1) < bars.low(2);
      return isHarami && bars.isLong(2) && bars.isShort(0) && bars.open(0) > bars.low(1) ? 100 : 0;
    },
  }),
  /**
   * Two bodies of one colour with a gap between them, and one of the other colour that opens inside the second
   * and closes inside the first; the value has the sign of the gap.
   */
  definePattern({
    name: 'upsideDownsideGapThreeMethods',
    talib: 'XSIDEGAP3METHODS',
    title: 'Upside/Downside Gap Three Methods',
    candles: 3,
    warmup: 2,
    colours: ['BBW', 'WWB'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const way = bars.colour(2);
      const opensInside = bars.open(0) < bars.top(1) && bars.open(0) > bars.bottom(1);
      const closesInside = bars.close(0) < bars.top(2) && bars.close(0) > bars.bottom(2);
      const gaps = way > 0 ? bars.bodyGapsUp(1) : bars.bodyGapsDown(1);
      return opensInside && closesInside && gaps ? 100 * way : 0;
    },
  }),
  /**
   * A long white candle, a small black body that gaps up, and a black one that engulfs it but leaves the gap
   * open.
   */
  definePattern({
    name: 'upsideGapTwoCrows',
    talib: 'UPSIDEGAP2CROWS',
    title: 'Upside Gap Two Crows',
    candles: 3,
    colours: ['WBB'],
    values: [-100],
    match(bars) {
      if (!bars.bodyGapsUp(1) || !bars.isLong(2) || bars.isLong(1)) return 0;
      const engulfs = bars.open(0) > bars.open(1) && bars.close(0) < bars.close(1);
      return engulfs && bars.close(0) > bars.close(2) ? -100 : 0;
    },
  }),
];
