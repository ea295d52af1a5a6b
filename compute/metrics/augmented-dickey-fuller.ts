import { mackinnonP, type UnitRootForm } from './mackinnon-p.js';
import { stepwiseFit } from './stepwise-fit.js';

/** Whether a series is drawn back to a level (a small p), or wanders as a random walk does. */
export interface DickeyFuller {
  /** The t value of the level before in the regression of the change: the further below 0, the stronger the pull. */
  statistic: number;
  /** How often a random walk gives a statistic as low, by MacKinnon's approximation. */
  p: number;
  /** How many earlier changes the regression holds. */
  lags: number;
  /** How many changes it explains. */
  count: number;
}

/**
 * The augmented Dickey-Fuller test: change[t] on level[t-1], change[t-1] to change[t-lags], and a constant unless
 * `form` is none. The number of lags has the lowest AIC on a common sample, from 0 to Schwert's ceil(12 (n / 100)^(1/4)),
 * or as many as leave a degree of freedom; the test is then done on all values that this number leaves. As
 * statsmodels' adfuller does by default. Null where the values are too few (4 with a constant, else 3), do not vary, or where the
 * regression leaves nothing unexplained. Said and Dickey, Biometrika 71, 1984.
 */
export function augmentedDickeyFuller(
  values: Float64Array,
  form: UnitRootForm = 'constant',
): DickeyFuller | null {
  const constants = form === 'constant' ? 1 : 0;
  const most = mostLags(values.length, constants);
  if (most < 0 || values.every((value) => value === values[0])) return null;
  const lags = bestLags(values, form, most);
  const { level, changes, earlier, constant } = regression(values, form, lags);
  // The level comes last: what of the change lies along it then is its t value, but for the error.
  const { squaresLeft, along } = stepwiseFit([...constant, ...earlier, level], changes);
  const left = squaresLeft[squaresLeft.length - 1];
  if (left <= squaresLeft[0] * 1e-20) return null;
  const count = changes.length;
  const statistic = along[along.length - 1] / Math.sqrt(left / (count - lags - 1 - constants));
  return { statistic, p: mackinnonP(statistic, form, 1), lags, count };
}

const mostLags = (count: number, constants: number): number =>
  Math.min(Math.floor((count - 3 - constants) / 2), Math.ceil(12 * (count / 100) ** 0.25));

/** The number of lags with the lowest n ln(squares left / n) + 2 regressors, all on the sample that `most` lags leave. */
function bestLags(values: Float64Array, form: UnitRootForm, most: number): number {
  const { level, changes, earlier, constant } = regression(values, form, most);
  const { squaresLeft } = stepwiseFit([...constant, level, ...earlier], changes);
  let best = 0;
  let lowest = Infinity;
  for (let lags = 0; lags <= most; lags++) {
    const left = squaresLeft[constant.length + 1 + lags];
    const criterion = changes.length * Math.log(left / changes.length) + 2 * lags;
    if (criterion < lowest) [best, lowest] = [lags, criterion];
  }
  return best;
}

function regression(values: Float64Array, form: UnitRootForm, lags: number) {
  const change = Float64Array.from({ length: values.length - 1 }, (_, i) => values[i + 1] - values[i]);
  const count = change.length - lags;
  // Beside a constant the level of the values does not matter; without it squares stay small.
  const base = form === 'constant' ? values[lags] : 0;
  return {
    changes: change.subarray(lags),
    level: Float64Array.from({ length: count }, (_, i) => values[lags + i] - base),
    earlier: Array.from({ length: lags }, (_, n) => change.subarray(lags - 1 - n, lags - 1 - n + count)),
    constant: form === 'constant' ? [new Float64Array(count).fill(1)] : [],
  };
}
