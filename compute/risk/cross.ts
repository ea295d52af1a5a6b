import type { CrossLabels } from '../model/cross-reading.js';
import type { Standing } from '../model/standing.js';

/** A cross is a signal on its own candle and the two after it. */
const freshCandles = 3;

/** The number of last candles that `crossSignal` reads. */
export const crossCandles = freshCandles + 1;

export const standingOf = (fast: number, slow: number): Standing =>
  fast > slow ? 'bullish' : fast < slow ? 'bearish' : 'neutral';

/**
 * Whether the fast line has crossed the slow one on one of the last three candles; the latest cross counts. The cross is
 * on the first candle on which the fast line is on the other side, even if the two lines were equal before.
 */
export function crossSignal(fast: Float64Array, slow: Float64Array): CrossLabels['signal'] {
  for (let age = 1; age <= freshCandles; age++) {
    const now = fast.at(-age)! - slow.at(-age)!;
    const before = fast.at(-age - 1)! - slow.at(-age - 1)!;
    if (now > 0 && before <= 0) return 'buy';
    if (now < 0 && before >= 0) return 'sell';
  }
  return 'hold';
}

/** The direction from `base` to `value`; flat where they are at most `reach` apart. */
export function trendOf(value: number, base: number, reach = 0): CrossLabels['trend'] {
  const distance = value - base;
  return distance > reach ? 'up' : distance < -reach ? 'down' : 'flat';
}

export const momentumOf = (now: number, before: number): 'rising' | 'falling' | 'flat' =>
  now > before ? 'rising' : now < before ? 'falling' : 'flat';

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
