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
