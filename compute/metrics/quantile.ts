import { normalReach95 as z } from './normal.js';

/**
 * The quantile of ascending values for a share of 0 to 1, with linear interpolation: definition 7 of Hyndman and Fan,
 * Sample Quantiles in Statistical Packages, 1996. NaN without values.
 */
export const quantile = (ascending: ArrayLike<number>, share: number): number =>
  valueAt(ascending, share * (ascending.length - 1));

/** The value at a place from 0 to the last index of ascending values, interpolated between two places. */
export function valueAt(ascending: ArrayLike<number>, place: number): number {
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

/**
 * Reorders the values in place so that value `n` (from 0) is the one of the ascending order: no value before it is
 * greater, and none after it is less. The rest is not sorted. None of the values is NaN.
 * Source: C. A. R. Hoare, Algorithm 65: Find, Communications of the ACM 4, 1961.
 */
export function placeNth(values: Float64Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (n <= j) high = j;
    else if (n >= i) low = i;
    else break;
  }
  return values[n];
}

/** The median of the values; null without values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The share of values below the given one plus half of those equal to it, in percent, 0 to 100; NaN without values. The
 * mean rank, as in SciPy's percentileofscore(kind='mean').
 */
export function percentileRank(values: Float64Array, value: number): number {
  let twice = 0;
  for (let i = 0; i < values.length; i++) twice += Number(values[i] < value) + Number(values[i] <= value);
  return (twice / 2 / values.length) * 100;
}

/** Bounds of a quantile; null where the sample has no value that far out. */
export interface QuantileInterval {
  low: number | null;
  high: number | null;
}

/**
 * The 95 % confidence interval of the quantile for a share of 0 to 1, from ascending values of any distribution: those
 * at the ranks n share +/- z n sqrt(share (1 - share) / m), rounded up, where the n values are worth m independent ones.
 * Conover, Practical Nonparametric Statistics, 3.2.
 */
export function quantileInterval(
  ascending: ArrayLike<number>,
  share: number,
  independent = ascending.length,
): QuantileInterval {
  const count = ascending.length;
  const reach = (z * count * Math.sqrt(share * (1 - share))) / Math.sqrt(independent);
  // Ranks are counted from 1.
  const at = (rank: number) => (rank >= 1 && rank <= count ? ascending[rank - 1] : null);
  return { low: at(Math.ceil(count * share - reach)), high: at(Math.ceil(count * share + reach)) };
}
