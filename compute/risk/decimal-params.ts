import { Decimal } from '../model/decimal.js';
import { fieldError } from '../model/errors.js';

export const hundred = Decimal.parse('100');

/** Throws `invalid_input` about a parameter; `rest` completes the sentence with what is expected. */
export function refuseParam(field: string, rest: string): never {
  throw fieldError(field, `"${field}" ${rest}`);
}

/** A decimal above 0. */
export function readPositive(field: string, text: string): Decimal {
  const value = Decimal.parse(text, field);
  return value.sign > 0 ? value : refuseParam(field, `has to be above 0, found ${text}`);
}

/** A rate given in percent, at least 0 and below 100, as an exact fraction. */
export function readRate(field: string, text: string): Decimal {
  const percent = Decimal.parse(text, field);
  if (percent.sign < 0 || percent.compare(hundred) >= 0)
    refuseParam(field, `has to be at least 0 and below 100, found ${text}`);
  return toFraction(percent);
}

/** Percent as a fraction; 32 places hold it exactly, since a text has 30 at most. */
export const toFraction = (percent: Decimal): Decimal => percent.dividedBy(hundred, 32, 'floor');
