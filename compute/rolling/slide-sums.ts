/**
 * The sum of each of `count` windows of `period` values, the first of which starts at `from`, written to `sums` from
 * index 0. Each sum adds the end of one block of values to the beginning of the next, and nothing is subtracted: rounding
 * errors do not accumulate, and a spike has no effect once it has left the window.
 */
export function slideSums(
  values: Float64Array,
  from: number,
  period: number,
  count: number,
  sums: Float64Array,
): void {
  if (period === 3) {
    // The period of %K and %D: blocks of three values would be slower than plain sums.
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
      // The beginning and the end of the next block in one loop: the two sums are independent of each other.
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
