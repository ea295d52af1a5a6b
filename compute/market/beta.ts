import { linearRegression } from '../metrics/linear-regression.js';
import { studentQuantile } from '../metrics/mean-interval.js';
import { field, type Values } from '../model/field.js';
import { mean } from '../metrics/returns.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

/** The regression of one asset on another: return = alpha + beta x return of the other + residual. */
export const betaFields = {
  beta: field.nullable(
    field.number(
      'return of the asset per return of the other; null where the price of the other does not move',
    ),
  ),
  betaLow: field.nullable(field.number('lower end of the 95 % interval of beta')),
  betaHigh: field.nullable(field.number('upper end of that interval')),
  alphaPercentPerCandle: percent('return of the asset on a candle where the other returns 0'),
  alphaLowPercentPerCandle: percent('lower end of the 95 % interval of that alpha'),
  alphaHighPercentPerCandle: percent('upper end of that interval'),
  alphaPercentPerYear: percent('alpha per candle x candles in a year of 365 days, not compounded'),
  rSquared: field.nullable(
    field.number("share of the variance of the asset's returns that the other explains, 0 to 1"),
  ),
  count: field.count('returns of each asset'),
};

export type Beta = Values<typeof betaFields>;

/**
 * Ordinary least squares of equally long returns (fractions). The intervals take Student's distribution and assume
 * independent errors of constant variance; in turbulent times the true intervals are wider. Risk-free rate 0.
 */
export function betaOf(returns: Float64Array, against: Float64Array, candlesPerYear: number): Beta {
  const count = returns.length;
  const line = linearRegression(against, returns);
  if (!line) return { ...none, count };
  const { slope, intercept, slopeError, rSquared } = line;
  const reach = slopeError === null ? null : studentQuantile(count - 2) * slopeError;
  // Standard error of the intercept = standard error of the slope x root mean square of the regressor.
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
