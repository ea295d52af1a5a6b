import { linearRegression } from './linear-regression.js';

/** Mean reversion of a series, from the model value[t] = constant + coefficient value[t-1] + shock. */
export interface HalfLife {
  /** 0: a deviation is gone with the next value; 1: it stays. Null where values do not vary or are fewer than three. */
  coefficient: number | null;
  /** Steps until half of a deviation is gone, ln(1/2) / ln(coefficient); null for coefficients outside of 0 to 1. */
  steps: number | null;
  /** Steps in the regression. */
  count: number;
}

/**
 * The half-life of a first-order autoregression, fitted by least squares. The estimate of the coefficient is biased
 * downwards when it is near 1 and the series is short, so a long half-life is a lower bound.
 */
export function halfLife(values: Float64Array): HalfLife {
  const count = Math.max(0, values.length - 1);
  const line = linearRegression(values.subarray(0, count), values.subarray(1));
  if (!line || count < 2) return { coefficient: null, steps: null, count };
  const coefficient = line.slope;
  const steps = coefficient > 0 && coefficient < 1 ? Math.log(0.5) / Math.log(coefficient) : null;
  return { coefficient, steps, count };
}
