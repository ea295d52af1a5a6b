/** A state that has held without a break up to the last candle. */
export interface Holding {
  /** Open time in ms, UTC, of the first candle of it, and how many candles that is, the last included. */
  since: number;
  candles: number;
}

/** For how long what holds on the last candle has held, looking back to index `first` at most. */
export function holdingSince(time: Float64Array, first: number, holds: (i: number) => boolean): Holding {
  const last = time.length - 1;
  const now = holds(last);
  let start = last;
  while (start > first && holds(start - 1) === now) start--;
  return { since: time[start], candles: last - start + 1 };
}
