import type { Direction } from '../model/risk-assessment.js';

/** The latest candle on which one line went through another. */
export interface LastCross {
  /** Which way the first line went. */
  way: Direction;
  /** Open time of the candle in ms, UTC. */
  time: number;
  /** 0 is the last candle. */
  candlesAgo: number;
}

/**
 * When the fast line last came out on the other side of the slow one; null if it never did. It has crossed on the first
 * candle on which it is beyond the slow line by more than `rounding`, having been beyond it on the other side before: a
 * touch is no cross. Values that are NaN, before the warm-up, are on no side.
 */
export function lastCross(
  time: Float64Array,
  fast: Float64Array,
  slow: Float64Array,
  rounding: number,
): LastCross | null {
  const last = time.length - 1;
  let side = 0;
  let crossed = last;
  for (let i = last; i >= 0; i--) {
    const distance = fast[i] - slow[i];
    const here = Number(distance > rounding) - Number(distance < -rounding);
    if (here === 0) continue;
    if (side !== 0 && here !== side)
      return { way: side > 0 ? 'up' : 'down', time: time[crossed], candlesAgo: last - crossed };
    side = here;
    crossed = i;
  }
  return null;
}

/** By how much lines made of prices around this one may differ and still be the same line. */
export const priceRounding = (price: number): number => Math.abs(price) * 1e-12;
