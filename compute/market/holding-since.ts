import { field, type Values } from '../model/field.js';

/** How long a state has held without a break up to the last candle. */
export const holdingFields = {
  since: field.time('open time of the first candle of the state'),
  candles: field.count('candles in the state, the last included', { unit: 'candles' }),
};

export type HoldingSince = Values<typeof holdingFields>;

/** How long the state of the last candle has held; looks back to index `first`. */
export function holdingSince(time: Float64Array, first: number, holds: (i: number) => boolean): HoldingSince {
  const last = time.length - 1;
  const now = holds(last);
  let start = last;
  while (start > first && holds(start - 1) === now) start--;
  return { since: time[start], candles: last - start + 1 };
}
