import type { CrossLabels } from '../model/cross-reading.js';
import type { Standing } from '../model/standing.js';

/** A cross is a signal on its own candle and the two after it. */
const freshCandles = 3;

/** The number of last candles that `crossSignal` reads. */
export const crossCandles = freshCandles + 1;

/** Which of two lines is above; neutral where they are at most `rounding` apart. */
export function standingOf(fast: number, slow: number, rounding = 0): Standing {
  const distance = fast - slow;
  return distance > rounding ? 'bullish' : distance < -rounding ? 'bearish' : 'neutral';
}

/**
 * Whether the fast line has crossed the slow one on one of the last three candles; the latest cross counts. The cross is
 * on the first candle on which the fast line is on the other side, even if the two lines were equal before. Lines that are
 * at most `rounding` apart are equal.
 */
export function crossSignal(fast: Float64Array, slow: Float64Array, rounding = 0): CrossLabels['signal'] {
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

/** Whether a value rises; flat where it has changed by at most `rounding`. */
export function momentumOf(now: number, before: number, rounding = 0): 'rising' | 'falling' | 'flat' {
  const change = now - before;
  return change > rounding ? 'rising' : change < -rounding ? 'falling' : 'flat';
}

/** Differences of an oscillator up to this are rounding errors. */
export const oscillatorRounding = 1e-9;

/** The momentum of an oscillator: overbought or oversold beyond the limits, else whether it rises or falls. */
export function momentumWithin(
  now: number,
  before: number,
  oversold: number,
  overbought: number,
): CrossLabels['momentum'] {
  if (now > overbought) return 'overbought';
  if (now < oversold) return 'oversold';
  return momentumOf(now, before, oscillatorRounding);
}
