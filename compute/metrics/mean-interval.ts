import { field, type Unit, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { studentQuantile } from './student-quantile.js';

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
