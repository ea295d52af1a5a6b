import { linearRegression } from './linear-regression.js';

/** How fast a series goes back to its level: value[t] = constant + coefficient value[t-1] + shock. */
export interface HalfLife {
  /** 0: gone with the next value; 1: never comes back; null where the values do not vary or are fewer than three. */
  coefficient: number | null;
  /** Steps until half of a distance is gone, ln(1/2) / ln(coefficient); null unless the coefficient lies between 0 and 1. */
  steps: number | null;
  /** How many steps the coefficient rests on. */
  count: number;
}

/**
 * The half-life of a first-order autoregression, fitted by least squares, which puts the coefficient somewhat too low
 * when it is near 1 and the series short: take a long half-life for a lower bound.
 */
export function halfLife(values: Float64Array): HalfLife {
  const count = Math.max(0, values.length - 1);
  const line = linearRegression(values.subarray(0, count), values.subarray(1));
  if (!line || count < 2) return { coefficient: null, steps: null, count };
  const coefficient = line.slope;
  const steps = coefficient > 0 && coefficient < 1 ? Math.log(0.5) / Math.log(coefficient) : null;
  return { coefficient, steps, count };
}
