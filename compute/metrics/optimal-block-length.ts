import { mean } from './returns.js';

/**
 * The block length, in steps and not rounded, that makes the variance of the mean over circular blocks most exact:
 * Politis and White, Automatic Block-Length Selection for the Dependent Bootstrap, Econometric Reviews 23, 2004, with
 * the correction of Patton, Politis and White, 28, 2009. At most min(3 sqrt(n), n / 3), rounded up. Close to 0 for
 * independent values; 1 where the values do not vary, or are fewer than eight.
 */
export function optimalBlockLength(values: Float64Array): number {
  const count = values.length;
  if (count < 8) return 1;
  const average = mean(values);
  const deviations = values.map((value) => value - average);
  const covariances = covariancesToCutoff(deviations);
  if (!(covariances[0] > (average * 1e-12) ** 2)) return 1;
  let [weightedByLag, spectrum] = [0, covariances[0]];
  const last = covariances.length - 1;
  for (let lag = 1; lag <= last; lag++) {
    // The flat-top window: 1 up to half of the last lag, then falling to 0.
    const weight = lag / last <= 0.5 ? 1 : 2 * (1 - lag / last);
    weightedByLag += 2 * weight * lag * covariances[lag];
    spectrum += 2 * weight * covariances[lag];
  }
  const length = Math.cbrt((1.5 * weightedByLag ** 2 * count) / spectrum ** 2);
  return Math.min(length, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3)));
}

/**
 * Covariances at lags from 0 to twice the first lag from which on several correlations in a row are negligible, which is
 * below 2 sqrt(log10(n) / n); to the square root of n, and a few more, where there is none.
 */
function covariancesToCutoff(deviations: Float64Array): number[] {
  const count = deviations.length;
  const quiet = Math.max(5, Math.floor(Math.log10(count)));
  const most = Math.min(Math.ceil(Math.sqrt(count)) + quiet, count - 2);
  const negligible = 2 * Math.sqrt(Math.log10(count) / count);
  const squares = productsAt(deviations, 0);
  const covariances = [squares / count];
  // The sums of squares without the first values, and without the last ones.
  let [late, early] = [squares - deviations[0] ** 2, squares - deviations[count - 1] ** 2];
  let [inARow, end] = [0, -1];
  for (let lag = 1; lag <= (end < 0 ? most : end); lag++) {
    const products = productsAt(deviations, lag);
    covariances.push(products / count);
    late -= deviations[lag] ** 2;
    early -= deviations[count - 1 - lag] ** 2;
    inARow = Math.abs(products) < negligible * Math.sqrt(late * early) ? inARow + 1 : 0;
    if (end < 0 && inARow === quiet && lag < most) end = Math.min(most, 2 * (lag + 1 - quiet));
  }
  return end < 0 ? covariances : covariances.slice(0, end + 1);
}

/** The sum of the products of values that are so many steps apart. */
function productsAt(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += values[i] * values[i - lag];
  return sum;
}
