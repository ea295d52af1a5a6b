import { definePattern, penetration, type Pattern } from '../model/pattern.js';
import type { Bars } from './rules/bars.js';
import { confirmedSignal } from './rules/confirmed-signal.js';

const isLower = (bars: Bars, age: number): boolean =>
  bars.high(age) < bars.high(age + 1) && bars.low(age) < bars.low(age + 1);

const isHigher = (bars: Bars, age: number): boolean =>
  bars.high(age) > bars.high(age + 1) && bars.low(age) > bars.low(age + 1);

function trap(bars: Bars): number {
  const isNested = (age: number) => bars.high(age) < bars.high(age + 1) && bars.low(age) > bars.low(age + 1);
  if (!isNested(2) || !isNested(1)) return 0;
  if (bars.high(0) < bars.high(1) && bars.low(0) < bars.low(1))
    return bars.close(2) <= bars.low(2) + bars.near(2) ? 100 : 0;
  const isUp = bars.high(0) > bars.high(1) && bars.low(0) > bars.low(1);
  return isUp && bars.close(2) >= bars.high(2) - bars.near(2) ? -100 : 0;
}

const opensInOrNear = (bars: Bars, age: number): boolean =>
  bars.open(age) >= bars.bottom(age + 1) - bars.near(age + 1) &&
  bars.open(age) <= bars.top(age + 1) + bars.near(age + 1);

/** Patterns of four candles and more, in alphabetical order. */
export const longPatterns: readonly Pattern[] = [
  /**
   * A long candle, a body that gaps in the same direction, two more candles that way, and a last one of the other colour
   * that closes within the gap.
   */
  definePattern({
    name: 'breakaway',
    title: 'Breakaway',
    candles: 5,
    colours: ['BB.BW', 'WW.WB'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      if (!bars.isLong(4)) return 0;
      if (bars.isWhite(0)) {
        const falls = bars.bodyGapsDown(3) && isLower(bars, 2) && isLower(bars, 1);
        return falls && bars.close(0) > bars.open(3) && bars.close(0) < bars.close(4) ? 100 : 0;
      }
      const rises = bars.bodyGapsUp(3) && isHigher(bars, 2) && isHigher(bars, 1);
      return rises && bars.close(0) < bars.open(3) && bars.close(0) > bars.close(4) ? -100 : 0;
    },
  }),
  /**
   * Two black marubozu, a black candle that gaps down but reaches back up into the second, and a black one that
   * engulfs it, shadows included.
   */
  definePattern({
    name: 'concealingBabySwallow',
    talib: 'CONCEALBABYSWALL',
    title: 'Concealing Baby Swallow',
    candles: 4,
    colours: ['BBBB'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const isMarubozu = (age: number) => bars.hasTinyLowerShadow(age) && bars.hasTinyUpperShadow(age);
      const reachesBack = bars.upperShadow(1) > bars.tinyShadow(1) && bars.high(1) > bars.close(2);
      const isSwallowed = bars.high(0) > bars.high(1) && bars.low(0) < bars.low(1);
      return isMarubozu(3) && isMarubozu(2) && bars.bodyGapsDown(1) && reachesBack && isSwallowed ? 100 : 0;
    },
  }),
  /**
   * Three black candles with lower opens and closes, a black one with an upper shadow, and a white one that
   * opens above that body and closes above that high.
   */
  definePattern({
    name: 'ladderBottom',
    title: 'Ladder Bottom',
    candles: 5,
    colours: ['BBBBW'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const stepsDown = (age: number) =>
        bars.open(age) < bars.open(age + 1) && bars.close(age) < bars.close(age + 1);
      const falls = stepsDown(3) && stepsDown(2);
      const turns = bars.open(0) > bars.open(1) && bars.close(0) > bars.high(1);
      return falls && turns && bars.upperShadow(1) > bars.tinyShadow(1) ? 100 : 0;
    },
  }),
  /**
   * A long white candle, a black body that gaps up, two more that fall a little into the white body, all
   * three short, and a white candle that opens above the last close and closes above all three highs.
   */
  definePattern({
    name: 'matHold',
    title: 'Mat Hold',
    candles: 5,
    colours: ['WB..W'],
    values: [100],
    reference: 'Morris, Candlepower, 1992',
    params: { penetration: penetration(0.5) },
    match(bars, { penetration }) {
      if (!bars.bodyGapsUp(3) || !bars.isLong(4) || !bars.isShort(3) || !bars.isShort(2) || !bars.isShort(1))
        return 0;
      const floor = bars.close(4) - bars.body(4) * penetration;
      const holds = (age: number) => bars.bottom(age) < bars.close(4) && bars.bottom(age) > floor;
      const sinks = bars.top(2) < bars.open(3) && bars.top(1) < bars.top(2);
      const leaves =
        bars.open(0) > bars.close(1) && bars.close(0) > Math.max(bars.high(3), bars.high(2), bars.high(1));
      return holds(2) && holds(1) && sinks && leaves ? 100 : 0;
    },
  }),
  /**
   * A hikkake of two nested inside bars of which the first closes near the end that breaks: near its low before
   * a break down, near its high before a break up.
   */
  definePattern({
    name: 'modifiedHikkake',
    talib: 'HIKKAKEMOD',
    title: 'Modified Hikkake',
    candles: 4,
    warmup: 10,
    confirmation: 3,
    values: [-200, -100, 100, 200],
    reference: 'Chesler, Trading False Moves with the Hikkake Pattern, 2004',
    match: (bars) => confirmedSignal(bars, trap),
  }),
  /**
   * A long candle, three short ones of the other colour that step back within its range, and a long one of its
   * colour that goes beyond its close.
   */
  definePattern({
    name: 'risingFallingThreeMethods',
    talib: 'RISEFALL3METHODS',
    title: 'Rising/Falling Three Methods',
    candles: 5,
    colours: ['BWWWB', 'WBBBW'],
    values: [-100, 100],
    match(bars) {
      const way = bars.colour(4);
      if (!bars.isLong(4) || !bars.isLong(0)) return 0;
      const rests = (age: number) =>
        bars.isShort(age) && bars.bottom(age) < bars.high(4) && bars.top(age) > bars.low(4);
      const stepsBack = (age: number) => way * bars.close(age) < way * bars.close(age + 1);
      const goesOn = way * bars.open(0) > way * bars.close(1) && way * bars.close(0) > way * bars.close(4);
      return rests(3) && rests(2) && rests(1) && stepsBack(2) && stepsBack(1) && goesOn ? 100 * way : 0;
    },
  }),
  /**
   * After a white candle three black ones that close near their lows, lower each time, the second and third
   * opening inside the body before; the first closes below the white high.
   */
  definePattern({
    name: 'threeBlackCrows',
    talib: '3BLACKCROWS',
    title: 'Three Black Crows',
    candles: 4,
    colours: ['WBBB'],
    values: [-100],
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
  }),
  /**
   * Three candles of one colour that step the same way, each opening in or near the body before, and a fourth
   * that reverses all of it; the value has the sign of the three.
   */
  definePattern({
    name: 'threeLineStrike',
    talib: '3LINESTRIKE',
    title: 'Three-Line Strike',
    candles: 4,
    warmup: 8,
    colours: ['BBBW', 'WWWB'],
    values: [-100, 100],
    reference: 'Morris, Candlepower, 1992',
    match(bars) {
      const way = bars.colour(1);
      if (!opensInOrNear(bars, 2) || !opensInOrNear(bars, 1)) return 0;
      const steps = way * bars.close(1) > way * bars.close(2) && way * bars.close(2) > way * bars.close(3);
      const strikes = way * bars.open(0) > way * bars.close(1) && way * bars.close(0) < way * bars.open(3);
      return steps && strikes ? 100 * way : 0;
    },
  }),
];
