import type { CrossLabels, Standing } from '../model/risk-assessment.js';

/** For how many candles, its own included, a cross is a signal. */
const freshCandles = 3;

/** How many candles of both lines `crossSignal` reads. */
export const crossCandles = freshCandles + 1;

export const standingOf = (fast: number, slow: number): Standing =>
  fast > slow ? 'bullish' : fast < slow ? 'bearish' : 'neutral';

/**
 * Whether the fast line has crossed the slow one on any of the last three candles; the latest cross counts. A line
 * has crossed on the first candle on which it is beyond the other, also if the two were equal before.
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

/** Which way a value lies from `base`; flat within `reach` of it. */
export function trendOf(value: number, base: number, reach = 0): CrossLabels['trend'] {
  const distance = value - base;
  return distance > reach ? 'up' : distance < -reach ? 'down' : 'flat';
}

export const momentumOf = (now: number, before: number): 'rising' | 'falling' | 'flat' =>
  now > before ? 'rising' : now < before ? 'falling' : 'flat';

/** A price that stays where it is leaves an oscillator as it was, and rounding alone moves it, by less than this. */
const noise = 1e-9;

/** The same for an oscillator: beyond the limits it is overbought or oversold, whichever way it goes. */
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
