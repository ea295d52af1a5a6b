import { meanInterval, type MeanInterval } from './mean-interval.js';
import { studentQuantile } from './student-quantile.js';

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
