/**
 * The sum of each of `count` windows of `period` values, the first of which starts at `from`, into `sums` from its
 * start. Each sum is put together from the end of one block of values and the beginning of the next, and nothing is
 * ever subtracted: rounding does not pile up, and a spike is gone as soon as it has left the window.
 */
export function slideSums(
  values: Float64Array,
  from: number,
  period: number,
  count: number,
  sums: Float64Array,
): void {
  if (period === 3) {
    // What %K and %D are smoothed over; blocks of three values would be little but their own beginning.
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
      // The beginning of the next block and its end in one loop: two sums that do not wait for each other.
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
