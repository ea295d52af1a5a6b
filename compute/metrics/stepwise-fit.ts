/** Nested regressions of a column on the first n regressors. */
export interface StepwiseFit {
  /** The residual sum of squares of the first n regressors, for n = 0, 1, 2, ... */
  squaresLeft: number[];
  /** The projection of the column on each regressor, after the regressors before it are projected out: signed. */
  along: number[];
}

/** A regressor with less than this share of its length independent of those before it is treated as dependent. */
const ownShare = 1e-11;

/**
 * Least squares with one more regressor at a time: all nested regressions at the cost of the largest. The t value of the
 * last coefficient is `along` / sqrt(`squaresLeft` / degrees of freedom). Modified Gram-Schmidt, which is as stable as
 * Householder's method for least squares: Bjorck, BIT 7, 1967. Columns are equally long and are not changed.
 */
export function stepwiseFit(regressors: readonly Float64Array[], values: Float64Array): StepwiseFit {
  const columns = regressors.map((column) => column.slice());
  const rest = values.slice();
  const squaresLeft = [dot(rest, rest)];
  const along: number[] = [];
  columns.forEach((column, n) => {
    const length = Math.sqrt(dot(column, column));
    const whole = Math.sqrt(dot(regressors[n], regressors[n]));
    let found = 0;
    if (length > ownShare * whole) {
      for (let i = 0; i < column.length; i++) column[i] /= length;
      found = takeOut(column, rest);
      for (const later of columns.slice(n + 1)) takeOut(column, later);
    }
    along.push(found);
    squaresLeft.push(dot(rest, rest));
  });
  return { squaresLeft, along };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Subtracts from `values` their projection on a column of length 1, and returns its signed length. */
function takeOut(unit: Float64Array, values: Float64Array): number {
  const found = dot(unit, values);
  for (let i = 0; i < values.length; i++) values[i] -= found * unit[i];
  return found;
}
