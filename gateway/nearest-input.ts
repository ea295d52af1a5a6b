import type Joi from 'joi';
import { didYouMean, nearestNames } from '../compute/model/nearest-names.js';
import { onceFor } from '../storage/process/once.js';

/** The longest text that is compared with what is valid. */
const longest = 60;

/**
 * What was probably meant, as the end of an error message: the nearest choice for a value that is none of the choices, the
 * nearest field for one that does not exist, the misspelt field for one that is missing. Empty for any other fault, and where
 * nothing is near.
 */
export function nearestInput(
  { type, path, context }: Joi.ValidationErrorItem,
  schema: Joi.ObjectSchema<unknown>,
  input: object,
): string {
  if (type === 'any.only') return nearest(context?.value, (context?.valids ?? []) as unknown[]);
  if (type === 'object.unknown') {
    const fields = fieldsAt(schema, path.slice(0, -1));
    return (
      nearest(path.at(-1), fields) || (fields.length === 0 ? '' : `; the fields are ${fields.join(', ')}`)
    );
  }
  return type === 'any.required' ? misspelt(path, schema, input) : '';
}

/** Names the unknown field that is spelt nearly as a missing one. */
function misspelt(
  path: readonly (string | number)[],
  schema: Joi.ObjectSchema<unknown>,
  input: object,
): string {
  const parents = path.slice(0, -1);
  const fields = fieldsAt(schema, parents);
  const given = parents.reduce<object>((at, step) => at[step as keyof typeof at], input);
  const unknown = Object.keys(given).filter((name) => name.length <= longest && !fields.includes(name));
  const [near] = nearestNames(String(path.at(-1)), unknown);
  return near === undefined ? '' : `, found "${near}"`;
}

function nearest(given: unknown, valid: readonly unknown[]): string {
  if (typeof given !== 'string' || given === '' || given.length > longest) return '';
  const names = valid.filter((each) => typeof each === 'string');
  return didYouMean(nearestNames(given, names));
}

const described = onceFor((schema: Joi.ObjectSchema<unknown>) => schema.describe());

/** The fields of the object at a place in the input; empty where the object depends on other fields. */
function fieldsAt(schema: Joi.ObjectSchema<unknown>, path: readonly (string | number)[]): string[] {
  let at: Joi.Description | undefined = described(schema);
  for (const step of path) {
    const { keys, items } = (at ?? {}) as {
      keys?: Record<string, Joi.Description>;
      items?: Joi.Description[];
    };
    at = typeof step === 'number' ? items?.[0] : keys?.[step];
  }
  return Object.keys((at as { keys?: object } | undefined)?.keys ?? {});
}
