import { linearRegression } from './linear-regression.js';

/**
 * Beta of returns to those of a reference: covariance / variance of the reference. Sharpe, Capital Asset Prices, 1964.
 * Null with fewer than two values, or where the reference does not vary.
 */
export const beta = (returns: Float64Array, reference: Float64Array): number | null =>
  linearRegression(reference, returns)?.slope ?? null;
