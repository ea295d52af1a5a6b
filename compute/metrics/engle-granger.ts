import { augmentedDickeyFuller, type LagCriterion } from './augmented-dickey-fuller.js';
import { linearRegression } from './linear-regression.js';
import { mackinnonP } from './mackinnon-p.js';

/** Cointegration of two series: y = intercept + slope x + spread, and the test of the spread. */
export interface EngleGranger {
  slope: number;
  intercept: number;
  /** The residuals of y. */
  spread: Float64Array;
  /** Null where x explains nearly all of y (R squared above 1 - 1.5e-6) and the spread is only rounding. */
  test: {
    /** The Dickey-Fuller statistic of the spread, without a constant. */
    statistic: number;
    /** The probability of a statistic as low for two series without cointegration. */
    p: number;
    lags: number;
    count: number;
  } | null;
}

const mostExplained = 1 - 100 * Math.sqrt(Number.EPSILON);

/**
 * Engle and Granger's two-step test with MacKinnon's p-value for two series, as in statsmodels' coint. It is not
 * symmetric: y on x may differ from x on y. Null where x or y do not vary, or there are fewer than 3 values. Engle and
 * Granger, Econometrica 55, 1987.
 */
export function engleGranger(
  y: Float64Array,
  x: Float64Array,
  criterion: LagCriterion = 'aic',
): EngleGranger | null {
  const line = linearRegression(x, y);
  if (!line || line.count < 3) return null;
  const { slope, intercept, rSquared } = line;
  if (rSquared === null) return null;
  const spread = y.map((value, i) => value - intercept - slope * x[i]);
  const found = rSquared < mostExplained ? augmentedDickeyFuller(spread, 'none', criterion) : null;
  const test = found && { ...found, p: mackinnonP(found.statistic, 'constant', 2) };
  return { slope, intercept, spread, test };
}
