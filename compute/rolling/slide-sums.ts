/**
 * Writes the sum of each of `count` windows of `period` values to `sums`, from index 0. The first window starts at
 * `from`. Values are grouped into blocks; a sum is the tail of one block plus the head of the next. Nothing is
 * subtracted, so rounding errors do not accumulate, and a spike has no effect after it leaves the window.
 */
export function slideSums(
  values: Float64Array,
  from: number,
  period: number,
  count: number,
  sums: Float64Array,
): void {
  if (period === 3) {
    // The usual smoothing of %K and %D. For a period of three, plain addition is faster than blocks.
    let older = values[from];
    let old = values[from + 1];
    for (let i = 0; i < count; i++) {
      const value = values[from + i + 2];
      sums[i] = older + old + value;
      older = old;
      old = value;
    }
    return;
  }
  let tail = 0;
  for (let i = period - 1; i >= 0; i--) {
    tail += values[from + i];
    sums[i] = tail;
  }
  for (let at = 0; at < count; at += period) {
    const next = from + at + period;
    let head = 0;
    if (at + period >= count) {
      for (let i = 1; i < count - at; i++) {
        head += values[next + i - 1];
        sums[at + i] += head;
      }
    } else {
      // One loop for the head and the tail of the next block: the two sums are independent and run in parallel.
      const last = next + period - 1;
      tail = 0;
      for (let i = 1; i < period; i++) {
        head += values[next + i - 1];
        tail += values[last - i + 1];
        sums[at + i] += head;
        sums[at + 2 * period - i] = tail;
      }
      sums[at + period] = tail + values[next];
    }
  }
}
