import Joi from 'joi';
import { createV1Fields, mostTargets } from './create-fields.js';
import { wrongField, type SignalFault } from './signal-faults.js';
import { price } from './signal-values.js';

const v1Names = Object.keys(createV1Fields.describe().keys as object);

const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name in snake_case of each name that formatted_text may have. */
const snakeNames = new Map(v1Names.flatMap((name) => [[name, name] as const, [camel(name), name] as const]));

/**
 * The published schema of formatted_text: the fields of version 1, and `targets` as a list in place of sell_price_1 to
 * sell_price_6. The names in camelCase are accepted too, but not published: generated clients would have each field twice.
 */
export const formattedText = Joi.object({
  ...Object.fromEntries(v1Names.map((name) => [name, createV1Fields.extract(name).optional()])),
  targets: Joi.array()
    .items(price('a target'))
    .min(1)
    .max(mostTargets[1])
    .description('take-profit targets, the nearest first, in place of sell_price_1 to sell_price_6')
    .example(['120', '130']),
}).description(
  'a signal that was parsed elsewhere; the other fields are ignored. Names may also be in camelCase: buyPriceMin',
);

/** The fields of version 1 in a formatted_text. A field that is given in two ways is a fault, as is an unknown one. */
export function readFormattedText(given: unknown): {
  fields: Record<string, unknown>;
  faults: SignalFault[];
} {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { fields: {}, faults: [wrongField('formatted_text', 'must be an object')] };
  const fields: Record<string, unknown> = {};
  const faults: SignalFault[] = [];
  const put = (name: string, value: unknown, source: string) => {
    if (Object.hasOwn(fields, name))
      faults.push(wrongField(`formatted_text.${source}`, `gives "${name}" twice`));
    fields[name] = value;
  };
  for (const [name, value] of Object.entries(given)) {
    const plain = snakeNames.get(name);
    if (name === 'targets') putTargets(value, put, faults);
    else if (plain === undefined)
      faults.push(wrongField(`formatted_text.${name.slice(0, 40)}`, 'is not allowed'));
    else put(plain, value, name);
  }
  return { fields, faults };
}

function putTargets(
  given: unknown,
  put: (name: string, value: unknown, source: string) => void,
  faults: SignalFault[],
): void {
  if (Array.isArray(given) && given.length > 0 && given.length <= mostTargets[1])
    return given.forEach((value: unknown, index) => put(`sell_price_${index + 1}`, value, 'targets'));
  faults.push(wrongField('formatted_text.targets', `must be a list of 1 to ${mostTargets[1]} prices`));
}
