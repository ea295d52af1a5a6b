import type { CrossLabels } from '../model/cross-reading.js';
import type { Standing } from '../model/standing.js';

/** A cross is a signal on its own candle and the two after it. */
const freshCandles = 3;

/** The number of last candles that `crossSignal` reads. */
export const crossCandles = freshCandles + 1;

/** On which side of the slow line the fast one is; neutral where they are at most `rounding` apart. */
export const standingOf = (fast: number, slow: number, rounding = 0): Standing =>
  fast - slow > rounding ? 'bullish' : fast - slow < -rounding ? 'bearish' : 'neutral';

/**
 * Whether the fast line has crossed the slow one on one of the last three candles; the latest cross counts. The cross is
 * on the first candle on which the fast line is on the other side, even if the two lines were equal before. Lines at most `rounding` apart are
 * equal.
 */
export function crossSignal(
  fast: Float64Array,
  slow: Float64Array,
  rounding = 0,
): CrossLabels['signal'] {
  for (let age = 1; age <= freshCandles; age++) {
    const now = fast.at(-age)! - slow.at(-age)!;
    const before = fast.at(-age - 1)! - slow.at(-age - 1)!;
    if (now > rounding && before <= rounding) return 'buy';
    if (now < -rounding && before >= -rounding) return 'sell';
  }
  return 'hold';
}

/** The direction from `base` to `value`; flat where they are at most `reach` apart. */
export function trendOf(value: number, base: number, reach = 0): CrossLabels['trend'] {
  const distance = value - base;
  return distance > reach ? 'up' : distance < -reach ? 'down' : 'flat';
}

/** Which way a value moved; flat where it moved by at most `rounding`. */
export const momentumOf = (now: number, before: number, rounding = 0): 'rising' | 'falling' | 'flat' =>
  now - before > rounding ? 'rising' : now - before < -rounding ? 'falling' : 'flat';

/** Changes of an oscillator below this are rounding errors. */
const noise = 1e-9;

/** The momentum of an oscillator: overbought or oversold beyond the limits, else whether it rises or falls. */
export function momentumWithin(
  now: number,
  before: number,
  oversold: number,
  overbought: number,
): CrossLabels['momentum'] {
  if (now > overbought) return 'overbought';
  if (now < oversold) return 'oversold';
  return Math.abs(now - before) < noise ? 'flat' : momentumOf(now, before);
}
