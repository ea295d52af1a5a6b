import { linearRegression, type LinearRegression } from '../metrics/linear-regression.js';
import { studentQuantile } from '../metrics/student.js';
import { field, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { mean } from '../metrics/returns.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

/** The regression of one asset on another: return = alpha + beta x return of the other + residual. */
export const betaFields = {
  beta: field.nullable(
    field.number(
      'return of the asset per return of the other; null where the price of the other does not move',
    ),
  ),
  betaLow: field.nullable(
    field.number(
      'lower end of the 95 % interval of beta, by errors that allow for volatile candles (MacKinnon and White, 1985)',
    ),
  ),
  betaHigh: field.nullable(field.number('upper end of that interval')),
  alphaPercentPerCandle: percent('return of the asset on a candle where the other returns 0'),
  alphaLowPercentPerCandle: percent('lower end of the 95 % interval of that alpha'),
  alphaHighPercentPerCandle: percent('upper end of that interval'),
  alphaPercentPerYear: percent('alpha per candle x candles in a year of 365 days, not compounded'),
  rSquared: field.nullable(
    field.number("share of the variance of the asset's returns that the other explains, 0 to 1"),
  ),
  reason: nullReason,
  count: field.count('returns of each asset'),
};

export type Beta = Values<typeof betaFields>;

/**
 * Ordinary least squares of equally long returns (fractions). The intervals take Student's distribution and independent errors,
 * whose variance may differ from candle to candle: with one variance for all they cover 63 % where both assets are volatile at the
 * same times. Risk-free rate 0.
 */
export function betaOf(returns: Float64Array, against: Float64Array, candlesPerYear: number): Beta {
  const count = returns.length;
  const line = linearRegression(against, returns);
  if (!line) return { ...none, count };
  const { slope, intercept, rSquared } = line;
  const errors = errorsOf(returns, against, line);
  const reach = errors && studentQuantile(count - 2) * errors.slope;
  const alphaReach = errors && studentQuantile(count - 2) * errors.intercept * 100;
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
    reason: reasonsOf(
      errors === null && whyNoErrors(count),
      rSquared === null && 'the price of the asset does not move',
    ),
    count,
  };
}

/** Up to this part of a point that the line leaves free, the point alone decides where the line is. */
const leastFree = 1e-9;

/**
 * Standard errors of both coefficients where the errors of the line have any variances: HC3 of MacKinnon and White, Journal of
 * Econometrics 29, 1985. Null with fewer than three points, or where the line has to pass through one of them.
 */
function errorsOf(
  y: Float64Array,
  x: Float64Array,
  { slope, intercept }: LinearRegression,
): { slope: number; intercept: number } | null {
  const count = x.length;
  const middle = mean(x);
  let xx = 0;
  for (let i = 0; i < count; i++) xx += (x[i] - middle) ** 2;
  let [ofSlope, ofIntercept] = [0, 0];
  for (let i = 0; i < count; i++) {
    const distance = x[i] - middle;
    const free = 1 - 1 / count - (distance * distance) / xx;
    if (count < 3 || free < leastFree) return null;
    const residual = (y[i] - intercept - slope * x[i]) / free;
    ofSlope += ((distance / xx) * residual) ** 2;
    ofIntercept += ((1 / count - (middle * distance) / xx) * residual) ** 2;
  }
  return { slope: Math.sqrt(ofSlope), intercept: Math.sqrt(ofIntercept) };
}

const whyNoErrors = (count: number): string =>
  count < 3
    ? `an interval needs three returns, found ${count}`
    : 'a single return of the other decides the line';

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
  reason: 'the price of the other does not move',
};
