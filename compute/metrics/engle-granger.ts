import { augmentedDickeyFuller } from './augmented-dickey-fuller.js';
import { linearRegression } from './linear-regression.js';
import { mackinnonP } from './mackinnon-p.js';

/** Whether two wandering series stay together: y = intercept + slope x + spread, and how the spread behaves. */
export interface EngleGranger {
  slope: number;
  intercept: number;
  /** What the line leaves of y, value by value. */
  spread: Float64Array;
  /** Null where the line leaves next to nothing (R squared above 1 - 1.5e-6): nothing is left to test. */
  test: {
    /** The Dickey-Fuller statistic of the spread, without a constant. */
    statistic: number;
    /** How often two series that have nothing to do with each other give a statistic as low. */
    p: number;
    lags: number;
    count: number;
  } | null;
}

const mostExplained = 1 - 100 * Math.sqrt(Number.EPSILON);

/**
 * Engle and Granger's test in two steps, with MacKinnon's p-value for two series; as statsmodels' coint. It is not
 * symmetric: y on x may differ from x on y. Null where x or y do not vary, or there are fewer than 3 values. Engle and
 * Granger, Econometrica 55, 1987.
 */
export function engleGranger(y: Float64Array, x: Float64Array): EngleGranger | null {
  const line = linearRegression(x, y);
  if (!line || line.count < 3) return null;
  const { slope, intercept, rSquared } = line;
  if (rSquared === null) return null;
  const spread = y.map((value, i) => value - intercept - slope * x[i]);
  const found = rSquared < mostExplained ? augmentedDickeyFuller(spread, 'none') : null;
  const test = found && { ...found, p: mackinnonP(found.statistic, 'constant', 2) };
  return { slope, intercept, spread, test };
}
