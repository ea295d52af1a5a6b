import { field, type Unit, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';

/** A mean with its 95 % confidence interval. */
export const meanIntervalField = (text: string, unit: Unit) =>
  field.object(text, {
    count: field.count('values in the sample'),
    mean: field.nullable(field.number('mean; null without values', { unit })),
    low: field.nullable(
      field.number('lower end of the 95 % interval; null with fewer than 2 values', { unit }),
    ),
    high: field.nullable(field.number('upper end of the 95 % interval', { unit })),
    reason: nullReason,
  });

export type MeanInterval = Value<ReturnType<typeof meanIntervalField>>;

/**
 * The mean of the values and the interval mean +/- t s / sqrt(n), with t of Student's distribution at 97.5 % and
 * n - 1 degrees of freedom. Assumes independent values. The interval is null with fewer than two values.
 */
export function meanInterval(values: readonly number[]): MeanInterval {
  const count = values.length;
  if (count === 0) return { count, mean: null, low: null, high: null, reason: 'there are no values' };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count === 1)
    return { count, mean, low: null, high: null, reason: 'an interval needs two values, found one' };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const reach = studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { count, mean, low: mean - reach, high: mean + reach, reason: null };
}

const normalQuantile = 1.959963984540054;

/** Student's 97.5 % quantiles for 1 to 4 degrees of freedom, where the expansion below is not yet close. */
const fewDegrees = [12.706204736432095, 4.302652729749464, 3.182446305284263, 2.7764451051977987];

/**
 * The 97.5 % quantile of Student's distribution, by the expansion in 1 / degrees of Abramowitz and Stegun 26.7.5;
 * right to 3e-4 from 5 degrees on, to 1e-6 from 20 on.
 */
export function studentQuantile(degrees: number): number {
  if (degrees <= fewDegrees.length) return fewDegrees[degrees - 1];
  const z = normalQuantile;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160;
  return z + g1 / degrees + g2 / degrees ** 2 + g3 / degrees ** 3 + g4 / degrees ** 4;
}

/** The median of the values; null without values. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
