import { field, type Value } from '../model/field.js';
import { directions } from '../model/standing.js';

export const candlesAgo = field.count('candles from then to the last candle: 0 is the last candle', {
  unit: 'candles',
});

export const lastCrossField = field.object(
  'the latest candle on which the first line crossed the second; null where none did',
  {
    way: field.choice('way of the first line', directions),
    time: field.time('open time of the candle'),
    candlesAgo,
  },
);

export type LastCross = Value<typeof lastCrossField>;

/**
 * The last candle on which the fast line crossed the slow one; null without a cross. The cross is on the first candle on
 * which the fast line is more than `rounding` beyond the slow one, after it was on the other side: a touch is no cross.
 * NaN, before the warm-up, is on no side.
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
