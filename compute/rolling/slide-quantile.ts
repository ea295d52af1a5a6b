import { quantile } from '../metrics/quantile.js';

/**
 * The quantile of the last `window` values, or of all since `first` where these are fewer, on every index from `first` on.
 * The window is kept sorted; values may repeat.
 */
export function slideQuantile(
  values: Float64Array,
  { first, window, share }: { first: number; window: number; share: number },
  quantiles: Float64Array,
): void {
  const sorted = new Float64Array(window + 1);
  let count = 0;
  for (let i = first; i < values.length; i++) {
    const place = placeOf(sorted, count, values[i]);
    sorted.copyWithin(place + 1, place, count++);
    sorted[place] = values[i];
    if (count > window) {
      const oldest = placeOf(sorted, count, values[i - window]);
      sorted.copyWithin(oldest, oldest + 1, count--);
    }
    quantiles[i] = quantile(sorted.subarray(0, count), share);
  }
}

/** The number of the first `count` ascending values below the given one. */
function placeOf(sorted: Float64Array, count: number, value: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
