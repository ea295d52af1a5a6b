import { squaresAboutMeans } from './correlation.js';

/** A straight line through points, by least squares: y = intercept + slope x. */
export interface LinearRegression {
  count: number;
  slope: number;
  intercept: number;
  /** Share of the variance of y that the line explains, 0 to 1; null where y does not vary. */
  rSquared: number | null;
  /** Standard error of the slope; null with fewer than three points. */
  slopeError: number | null;
}

/** The line through equally long x and y; null with fewer than two points, or where x does not vary. */
export function linearRegression(x: Float64Array, y: Float64Array): LinearRegression | null {
  const count = x.length;
  if (count < 2) return null;
  const { meanX, meanY, xx, xy, yy } = squaresAboutMeans(x, y);
  if (xx <= (meanX * 1e-12) ** 2 * count) return null;
  const slope = xy / xx;
  const varies = yy > (meanY * 1e-12) ** 2 * count;
  const unexplained = Math.max(0, yy - slope * xy);
  return {
    count,
    slope,
    intercept: meanY - slope * meanX,
    rSquared: varies ? Math.min(1, (slope * xy) / yy) : null,
    slopeError: count > 2 ? Math.sqrt(unexplained / (count - 2) / xx) : null,
  };
}

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
