import { mackinnonP, type UnitRootForm } from './mackinnon-p.js';
import { stepwiseFit } from './stepwise-fit.js';

/**
 * How lags are chosen. With AIC the test calls too many walks of 200 values stationary: 8 % instead of 5 %; with BIC 5 %
 * (measured by the suite of statistics).
 */
export type LagCriterion = 'aic' | 'bic';

/** A test for a unit root: a small p-value says that the series reverts to a level and is no random walk. */
export interface DickeyFuller {
  /** The t value of the previous level in the regression of the change: the lower, the stronger the reversion. */
  statistic: number;
  /** The probability of a statistic as low for a random walk, by MacKinnon's approximation. */
  p: number;
  /** Lagged changes in the regression. */
  lags: number;
  /** Observations in the regression. */
  count: number;
}

/**
 * The augmented Dickey-Fuller test: change[t] on level[t-1], change[t-1] to change[t-lags], and a constant unless
 * `form` is none. The number of lags is that with the lowest AIC or BIC on a common sample, from 0 to Schwert's
 * ceil(12 (n / 100)^(1/4)) or as many as leave a degree of freedom. The test then uses all values that this number
 * allows, as statsmodels' adfuller does by default. Null with too few values (4 with a constant, else 3), where they do
 * not vary, or where the regression has no residual. Said and Dickey, Biometrika 71, 1984.
 */
export function augmentedDickeyFuller(
  values: Float64Array,
  form: UnitRootForm = 'constant',
  criterion: LagCriterion = 'aic',
): DickeyFuller | null {
  const constants = form === 'constant' ? 1 : 0;
  const most = mostLags(values.length, constants);
  if (most < 0 || values.every((value) => value === values[0])) return null;
  const lags = bestLags(values, form, most, criterion);
  const { level, changes, earlier, constant } = regression(values, form, lags);
  // The level is the last regressor, so its t value is the projection of the change on it, divided by the error.
  const { squaresLeft, along } = stepwiseFit([...constant, ...earlier, level], changes);
  const left = squaresLeft[squaresLeft.length - 1];
  if (left <= squaresLeft[0] * 1e-20) return null;
  const count = changes.length;
  const statistic = along[along.length - 1] / Math.sqrt(left / (count - lags - 1 - constants));
  return { statistic, p: mackinnonP(statistic, form, 1), lags, count };
}

const mostLags = (count: number, constants: number): number =>
  Math.min(Math.floor((count - 3 - constants) / 2), Math.ceil(12 * (count / 100) ** 0.25));

/**
 * The number of lags with the lowest n ln(residual squares / n) + penalty x regressors on the sample of `most` lags; the
 * penalty is 2 (AIC) or ln n (BIC).
 */
function bestLags(values: Float64Array, form: UnitRootForm, most: number, criterion: LagCriterion): number {
  const { level, changes, earlier, constant } = regression(values, form, most);
  const { squaresLeft } = stepwiseFit([...constant, level, ...earlier], changes);
  const penalty = criterion === 'aic' ? 2 : Math.log(changes.length);
  let best = 0;
  let lowest = Infinity;
  for (let lags = 0; lags <= most; lags++) {
    const left = squaresLeft[constant.length + 1 + lags];
    const height = changes.length * Math.log(left / changes.length) + penalty * lags;
    if (height < lowest) [best, lowest] = [lags, height];
  }
  return best;
}

function regression(values: Float64Array, form: UnitRootForm, lags: number) {
  const change = Float64Array.from({ length: values.length - 1 }, (_, i) => values[i + 1] - values[i]);
  const count = change.length - lags;
  // With a constant the result does not depend on the level of the values, and smaller values lose fewer digits.
  const base = form === 'constant' ? values[lags] : 0;
  return {
    changes: change.subarray(lags),
    level: Float64Array.from({ length: count }, (_, i) => values[lags + i] - base),
    earlier: Array.from({ length: lags }, (_, n) => change.subarray(lags - 1 - n, lags - 1 - n + count)),
    constant: form === 'constant' ? [new Float64Array(count).fill(1)] : [],
  };
}
