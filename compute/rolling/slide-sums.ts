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
  for (let at = 0; at < count; at += period) {
    const start = from + at;
    const next = start + period;
    const stop = Math.min(period, count - at);
    let tail = 0;
    for (let i = period - 1; i >= stop; i--) tail += values[start + i];
    for (let i = stop - 1; i >= 0; i--) {
      tail += values[start + i];
      sums[at + i] = tail;
    }
    let head = 0;
    for (let i = 1; i < stop; i++) {
      head += values[next + i - 1];
      sums[at + i] += head;
    }
  }
}
