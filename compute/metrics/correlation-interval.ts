import { field, type Values } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { correlationOf, squaresAboutMeans, type SquaresAboutMeans } from './correlation.js';
import { normalReach95 as z } from './normal.js';

/** A correlation with its 95 % confidence interval. */
export const correlationIntervalFields = {
  correlation: field.nullable(
    field.number(
      "Pearson's correlation, -1 to 1; null with fewer than two values, or where one of the two does not vary",
    ),
  ),
  low: field.nullable(
    field.number(
      'lower end of the 95 % interval of the correlation (Fisher, 1921), wider where large values coincide (jackknife: Tukey, 1958); null with fewer than four values',
    ),
  ),
  high: field.nullable(field.number('upper end of that interval')),
  reason: nullReason,
};

export type CorrelationInterval = Values<typeof correlationIntervalFields>;

/**
 * Pearson's correlation of equally long series with its 95 % interval: tanh(atanh(r) +/- z e), where e is 1 / sqrt(n - 3) as for
 * normal values (Fisher, Metron 1, 1921), or the jackknife's error of atanh(r) (Tukey, 1958; Efron, The Jackknife, the Bootstrap and
 * Other Resampling Plans, 1982) where that is larger. Fisher's alone covers 63 % where both series are volatile at the same times, with
 * returns of Student's distribution of three degrees. Assumes independent pairs. No interval with fewer than four pairs.
 */
export function correlationInterval(x: Float64Array, y: Float64Array): CorrelationInterval {
  const count = x.length;
  const sums = squaresAboutMeans(x, y);
  const correlation = count < 2 ? null : correlationOf(sums, count);
  const none = { low: null, high: null };
  if (count < 2)
    return { correlation: null, ...none, reason: `a correlation needs two values, found ${count}` };
  if (correlation === null) return { correlation, ...none, reason: 'one of the two does not vary' };
  if (count < 4) return { correlation, ...none, reason: `an interval needs four values, found ${count}` };
  const middle = Math.atanh(correlation);
  if (!Number.isFinite(middle)) return { correlation, low: correlation, high: correlation, reason: null };
  const error = Math.max(1 / Math.sqrt(count - 3), jackknifeError(x, y, sums, correlation));
  return {
    correlation,
    low: Math.tanh(middle - z * error),
    high: Math.tanh(middle + z * error),
    reason: null,
  };
}

/** A share of a sum of squares that may be rounding alone. */
const rounding = 1e-12;

/** The double next to 1, which stands for 1: the logarithm of a perfect correlation is infinite. */
const nearest = 1 - Number.EPSILON / 2;

/** The jackknife's error of atanh(r) about its value; Infinity where a single pair decides whether a series varies. */
function jackknifeError(
  x: Float64Array,
  y: Float64Array,
  { meanX, meanY, xx, xy, yy }: SquaresAboutMeans,
  correlation: number,
): number {
  const count = x.length;
  const odds = (1 + correlation) / (1 - correlation);
  // Without value i, a sum of squares about the mean is smaller by the square of its distance times n / (n - 1).
  const part = count / (count - 1);
  let squares = 0;
  for (let i = 0; i < count; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY];
    const [leftX, leftY] = [xx - dx * dx * part, yy - dy * dy * part];
    if (leftX <= xx * rounding || leftY <= yy * rounding) return Infinity;
    const without = (xy - dx * dy * part) / Math.sqrt(leftX * leftY);
    const bounded = Math.max(-nearest, Math.min(nearest, without));
    // atanh(a) - atanh(r), with one logarithm.
    squares += (Math.log((1 + bounded) / (1 - bounded) / odds) / 2) ** 2;
  }
  return Math.sqrt(((count - 1) / count) * squares);
}
