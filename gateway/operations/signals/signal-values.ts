import Joi from 'joi';
import { Decimal } from '../../../compute/model/decimal.js';
import { plainNumber } from '../../../compute/model/format-number.js';
import { isPublicAddress } from '../../auth/fetch-public.js';

/** Digits that a JSON number keeps whatever program reads it. */
const exactDigits = 15;
const pricePattern = /^\d{1,18}(\.\d{1,18})?$/;

/**
 * A price: a decimal above 0 as text, or a number with at most 15 digits. Its value is the shortest text of the decimal.
 * Neither exponents nor signs nor digits of other scripts are taken.
 */
export const price = (description: string): Joi.AlternativesSchema =>
  Joi.alternatives(Joi.string().pattern(pricePattern, 'a decimal'), Joi.number())
    .custom((given: string | number, { error }) => decimalOrNull(given) ?? error('signal.price'))
    .messages(
      allOf(
        priceFaults,
        '{{#label}} must be a decimal above 0 like "12.5", with at most 18 digits before and after the point',
      ),
    )
    .description(description)
    .example('12.5');

const priceFaults = [
  'signal.price',
  'alternatives.types',
  'alternatives.match',
  'alternatives.any',
  'string.base',
  'string.empty',
  'string.pattern.name',
  'number.base',
  'number.infinity',
  'number.unsafe',
];

function decimalOrNull(given: string | number): string | null {
  const text = typeof given === 'number' ? exactText(given) : given;
  if (text === null || !pricePattern.test(text)) return null;
  const value = Decimal.parse(text);
  return value.sign > 0 ? value.toString() : null;
}

/** The digits of a number; null for one with so many that programs may read it differently. */
function exactText(given: number): string | null {
  const text = plainNumber(given);
  return text.replace(/\D/g, '').replace(/^0+/, '').length <= exactDigits ? text : null;
}

/** A percentage above 0 and at most 100, or from `min`: a JSON number, whose value is a decimal as text. */
export const percent = (description: string, min = 0): Joi.NumberSchema => {
  const wanted = `{{#label}} must be a number ${min === 0 ? 'above 0' : `from ${min}`} and at most 100`;
  const range = min === 0 ? Joi.number().greater(0) : Joi.number().min(min);
  return range
    .max(100)
    .custom((given: number, { error }) => exactPositive(given) ?? error('signal.number'))
    .messages(allOf(numberFaults, wanted))
    .description(description);
};

/** A number above 0 and at most `max`, whose value is a decimal as text. */
export const factor = (description: string, max: number): Joi.NumberSchema =>
  Joi.number()
    .greater(0)
    .max(max)
    .custom((given: number, { error }) => exactPositive(given) ?? error('signal.number'))
    .messages(allOf(numberFaults, `{{#label}} must be a number above 0 and at most ${max}`))
    .description(description);

const numberFaults = [
  'signal.number',
  ...['base', 'infinity', 'unsafe', 'greater', 'min', 'max'].map((name) => `number.${name}`),
];

function exactPositive(given: number): string | null {
  const text = exactText(given);
  return text !== null && pricePattern.test(text) ? text : null;
}

const allOf = (codes: readonly string[], message: string): Record<string, string> => {
  const compiled = Joi.expression(message) as string;
  return Object.fromEntries(codes.map((code) => [code, compiled]));
};

const longestUrl = 2_048;

/** The https address of an image on the public internet. It is passed on and never fetched here. */
export const imageUrl = (description: string): Joi.StringSchema =>
  Joi.string()
    .max(longestUrl)
    .custom((given: string, { error }) => (isPublicUrl(given) ? given : error('signal.url')))
    .messages({
      'signal.url': Joi.expression('{{#label}} must be an https URL on the public internet') as string,
    })
    .description(description);

function isPublicUrl(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (/^\[.*\]$|^[\d.]+$/.test(hostname)) return isPublicAddress(hostname.replace(/^\[|\]$/g, ''));
  return /\.[a-z][a-z0-9-]*$/i.test(hostname) && !/\.(local|localhost|internal)$/i.test(hostname);
}
