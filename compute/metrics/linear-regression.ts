import { squaresAboutMeans } from './squares-about-means.js';

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
