import { placeNth } from './place-nth.js';

/**
 * The quantile of ascending values for a share of 0 to 1, with linear interpolation: definition 7 of Hyndman and Fan,
 * Sample Quantiles in Statistical Packages, 1996. NaN without values.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const place = share * (ascending.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, ascending.length - 1);
  return ascending[below] + (place - below) * (ascending[above] - ascending[below]);
}

/** The same for values in any order, which it reorders; none is NaN. Faster than sorting for a single quantile. */
export function quantileOfUnsorted(values: Float64Array, share: number): number {
  if (values.length === 0) return NaN;
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const low = placeNth(values, below);
  if (place === below) return low;
  const high = values.subarray(below + 1).reduce((least, value) => Math.min(least, value));
  return low + (place - below) * (high - low);
}
