import { longestWindow } from './scratch.js';

/** Interleaved sums of distances and of their squares: writing one array is faster than writing two. */
const tails = new Float64Array(2 * longestWindow);

/**
 * Mean and population standard deviation of `count` windows of `period` values, each written at the index where its
 * window ends. The first window ends at `end`. Values are used as distances from a value that all windows of a block
 * contain: the squares are as small as the deviation itself, so no digits cancel at any price level, and a window of
 * equal values gives exactly 0. The deviation is written last: without need of means, pass the same column twice.
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
    // Unrolled by two: the overhead of the loop is as high as the cost of its body.
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
    // A negative variance is a rounding error.
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
