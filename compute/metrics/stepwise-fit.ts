/** What is left of a column as one regressor after the other is taken out of it. */
export interface StepwiseFit {
  /** The sum of squares that is left after the first n regressors, for n = 0, 1, 2, ... */
  squaresLeft: number[];
  /** What of the column lies along each regressor once those before it are taken out of that: signed, in its unit. */
  along: number[];
}

/** A regressor of which less than this share is its own, and not of those before it, counts as none of its own. */
const ownShare = 1e-11;

/**
 * Least squares with one regressor more at a time: all nested regressions for the price of the largest. The t value of
 * the last coefficient is `along` / sqrt(`squaresLeft` / degrees of freedom). Modified Gram-Schmidt, which for least
 * squares is as stable as Householder's: Bjorck, BIT 7, 1967. Columns are equally long and are not changed.
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

/** Takes out of `values` what lies along a column of length 1, and returns how much that was. */
function takeOut(unit: Float64Array, values: Float64Array): number {
  const found = dot(unit, values);
  for (let i = 0; i < values.length; i++) values[i] -= found * unit[i];
  return found;
}
