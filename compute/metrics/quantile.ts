import { placeNth } from './place-nth.js';

/**
 * The value below which the share (0 to 1) of the ascending values lies, by linear interpolation between the two next
 * to it: definition 7 of Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996. NaN of nothing.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const place = share * (ascending.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, ascending.length - 1);
  return ascending[below] + (place - below) * (ascending[above] - ascending[below]);
}

/** The same of values in any order, which it moves about; none of them is NaN. For one quantile that is quicker than to sort. */
export function quantileOfUnsorted(values: Float64Array, share: number): number {
  if (values.length === 0) return NaN;
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const low = placeNth(values, below);
  if (place === below) return low;
  const high = values.subarray(below + 1).reduce((least, value) => Math.min(least, value));
  return low + (place - below) * (high - low);
}
