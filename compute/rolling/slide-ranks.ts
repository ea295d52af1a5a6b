/**
 * For every value from index `from` on its percentile rank among the last `window` values up to and with itself, or
 * among all since `first` where they are fewer; as `percentileRank`, into `ranks` from index `from` on. The window is
 * kept in order, so a step costs two searches and one move of memory.
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
    if (count === window) {
      const oldest = countBelow(sorted, count--, values[i - window]);
      sorted.copyWithin(oldest, oldest + 1, count + 1);
    }
    const value = values[i];
    const below = countBelow(sorted, count, value);
    sorted.copyWithin(below + 1, below, count++);
    sorted[below] = value;
    let equal = 1;
    while (below + equal < count && sorted[below + equal] === value) equal++;
    ranks[i] = ((below + equal / 2) / count) * 100;
  }
}

/** How many of the first `count` ascending values lie below the given one. */
function countBelow(sorted: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
