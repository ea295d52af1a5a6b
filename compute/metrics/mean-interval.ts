import { field, type Unit, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { studentQuantile } from './student.js';
import { normalReach95 as z } from './normal.js';

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

/**
 * The mean of skewed values, such as durations, with a 95 % interval that leans the way the values do: Student's t-value
 * is transformed so that its skewness vanishes. Hall, On the Removal of Skewness by Transformation, J. R. Statist. Soc. B
 * 54, 1992. Assumes independent values. The interval is null with fewer than three values; without skewness it is Student's.
 */
export function skewedMeanInterval(values: readonly number[]): MeanInterval {
  const usual = meanInterval(values);
  const { count, mean } = usual;
  if (mean === null) return usual;
  if (count < 3)
    return { count, mean, low: null, high: null, reason: `an interval needs three values, found ${count}` };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const cubes = values.reduce((sum, value) => sum + (value - mean) ** 3, 0);
  const lean = cubes / count / (squares / count) ** 1.5 / Math.sqrt(count);
  // Values that do not vary have no skewness.
  if (!(Math.abs(lean) > 1e-9)) return usual;
  const error = Math.sqrt(squares / (count - 1) / count);
  const quantile = studentQuantile(count - 1);
  // The t-value at which the transformed one is y.
  const at = (y: number) => (3 / lean) * (Math.cbrt(1 + lean * (y - lean / 6)) - 1);
  return { count, mean, low: mean - error * at(quantile), high: mean - error * at(-quantile), reason: null };
}

/** A share of cases with its 95 % confidence interval. */
export const proportionField = (text: string) =>
  field.object(text, {
    count: field.count('cases'),
    share: field.nullable(field.number('share of the cases, 0 to 1; null without cases')),
    low: field.nullable(field.number('lower end of the 95 % interval, 0 to 1')),
    high: field.nullable(field.number('upper end of the 95 % interval, 0 to 1')),
    reason: nullReason,
  });

export type ProportionInterval = Value<ReturnType<typeof proportionField>>;

/** The share of successes in independent cases, with Wilson's score interval (JASA 22, 1927). */
export function proportionInterval(hits: number, count: number): ProportionInterval {
  if (count === 0) return { count, share: null, low: null, high: null, reason: 'there are no cases' };
  const share = hits / count;
  const weight = 1 + (z * z) / count;
  const middle = (share + (z * z) / (2 * count)) / weight;
  const reach = (z / weight) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const low = hits === 0 ? 0 : middle - reach;
  const high = hits === count ? 1 : middle + reach;
  return { count, share, low, high, reason: null };
}
