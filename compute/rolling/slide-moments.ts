import { longestWindow } from './scratch.js';

/** Sums of distances and of their squares, interleaved, because one array is faster than two. */
const tails = new Float64Array(2 * longestWindow);

/**
 * Mean and population standard deviation of `count` windows of `period` values, the first of which ends at index `end`.
 * Each result is written at the index where its window ends. Values are measured from one value that every window of
 * the block contains, so the squares are as small as the deviation itself: there is no cancellation at any price level,
 * and a window of equal values gives exactly 0. For deviations alone, pass the same column twice: the deviation is
 * written last.
 */
export function slideMoments(
  values: Float64Array,
  end: number,
  period: number,
  count: number,
  means: Float64Array,
  deviations: Float64Array,
): void {
  const share = 1 / period;
  for (let first = end; first < end + count; first += period) {
    const stop = Math.min(first + period, end + count);
    const centre = values[first];
    let sum = 0;
    let squares = 0;
    // Two values per step, because the overhead of the loop is as large as its body.
    let k = 2 * period - 2;
    for (let i = first; k > 0; k -= 4, i -= 2) {
      const a = values[i] - centre;
      const b = values[i - 1] - centre;
      tails[k] = sum + a;
      tails[k + 1] = squares + a * a;
      sum = sum + a + b;
      squares = squares + a * a + b * b;
      tails[k - 2] = sum;
      tails[k - 1] = squares;
    }
    if (k === 0) {
      const a = values[first - period + 1] - centre;
      tails[0] = sum + a;
      tails[1] = squares + a * a;
    }
    sum = 0;
    squares = 0;
    let i = first;
    let n = 0;
    // A negative value under the root is a rounding error, so its size is taken.
    for (; i + 1 < stop; i += 2, n += 4) {
      const a = values[i] - centre;
      const b = values[i + 1] - centre;
      const mean = (tails[n] + (sum + a)) * share;
      const next = (tails[n + 2] + (sum + a + b)) * share;
      const square = (tails[n + 1] + (squares + a * a)) * share;
      sum = sum + a + b;
      squares = squares + a * a + b * b;
      means[i] = centre + mean;
      means[i + 1] = centre + next;
      deviations[i] = Math.sqrt(Math.abs(square - mean * mean));
      deviations[i + 1] = Math.sqrt(Math.abs((tails[n + 3] + squares) * share - next * next));
    }
    if (i < stop) {
      const a = values[i] - centre;
      const mean = (tails[n] + (sum + a)) * share;
      means[i] = centre + mean;
      deviations[i] = Math.sqrt(Math.abs((tails[n + 1] + (squares + a * a)) * share - mean * mean));
    }
  }
}
