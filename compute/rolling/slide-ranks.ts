/**
 * Writes the percentile rank of every value from index `from` on to `ranks`, at the same index: its rank among the last
 * `window` values, itself included, or among all since `first` where they are fewer. Defined as `percentileRank`. The
 * window is kept sorted, so a step costs two binary searches and one move of memory.
 */
export function slideRanks(
  values: Float64Array,
  { first, from, window }: { first: number; from: number; window: number },
  ranks: Float64Array,
): void {
  const start = Math.max(first, from - window + 1);
  const sorted = new Float64Array(window + 1);
  sorted.set(values.slice(start, from).sort());
  let count = from - start;
  for (let i = from; i < values.length; i++) {
    const value = values[i];
    let below = countBelow(sorted, count, value);
    if (count < window) sorted.copyWithin(below + 1, below, count++);
    else {
      // The oldest value is replaced by the newest: only the values between their places move.
      const oldest = countBelow(sorted, count, values[i - window]);
      if (oldest < below) sorted.copyWithin(oldest, oldest + 1, below--);
      else sorted.copyWithin(below + 1, below, oldest);
    }
    sorted[below] = value;
    let equal = 1;
    while (below + equal < count && sorted[below + equal] === value) equal++;
    ranks[i] = ((below + equal / 2) / count) * 100;
  }
}

/** The number of values below the given one among the first `count` ascending values. Binary search without branches. */
function countBelow(sorted: Float64Array, count: number, value: number): number {
  if (count === 0) return 0;
  let base = 0;
  for (let size = count; size > 1;) {
    const half = size >> 1;
    base += half * Number(sorted[base + half - 1] < value);
    size -= half;
  }
  return base + Number(sorted[base] < value);
}
