import { linearRegression } from '../metrics/linear-regression.js';
import { studentQuantile } from '../metrics/mean-interval.js';
import { mean } from '../metrics/returns.js';

/** An asset against another: return = alpha + beta x return of the other + what is its own. */
export interface Beta {
  /** How much the asset moves per move of the other, with its 95 % interval; null where the other does not move. */
  beta: number | null;
  betaLow: number | null;
  betaHigh: number | null;
  /** The return of a candle on which the other stands still, in percent, with its 95 % interval. */
  alphaPercentPerCandle: number | null;
  alphaLowPercentPerCandle: number | null;
  alphaHighPercentPerCandle: number | null;
  /** The same times the candles of a year of 365 days, not compounded. */
  alphaPercentPerYear: number | null;
  /** Share of the variance that the other explains, 0 to 1. */
  rSquared: number | null;
  count: number;
}

/**
 * Ordinary least squares of equally long returns (fractions). The intervals take Student's distribution and assume
 * independent errors of one size; turbulent times make the true ones wider. Risk-free rate 0.
 */
export function betaOf(returns: Float64Array, against: Float64Array, candlesPerYear: number): Beta {
  const count = returns.length;
  const line = linearRegression(against, returns);
  if (!line) return { ...none, count };
  const { slope, intercept, slopeError, rSquared } = line;
  const reach = slopeError === null ? null : studentQuantile(count - 2) * slopeError;
  // The error of the intercept is that of the slope times the root mean square of what it is multiplied with.
  const alphaReach =
    reach === null ? null : reach * Math.sqrt(mean(against.map((value) => value * value))) * 100;
  const [betaLow, betaHigh] = around(slope, reach);
  const [alphaLowPercentPerCandle, alphaHighPercentPerCandle] = around(intercept * 100, alphaReach);
  return {
    beta: slope,
    betaLow,
    betaHigh,
    alphaPercentPerCandle: intercept * 100,
    alphaLowPercentPerCandle,
    alphaHighPercentPerCandle,
    alphaPercentPerYear: intercept * 100 * candlesPerYear,
    rSquared,
    count,
  };
}

const around = (value: number, reach: number | null): [low: number | null, high: number | null] =>
  reach === null ? [null, null] : [value - reach, value + reach];

const none = {
  beta: null,
  betaLow: null,
  betaHigh: null,
  alphaPercentPerCandle: null,
  alphaLowPercentPerCandle: null,
  alphaHighPercentPerCandle: null,
  alphaPercentPerYear: null,
  rSquared: null,
};
