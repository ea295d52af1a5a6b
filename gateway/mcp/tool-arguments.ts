import { Ajv, type ErrorObject } from 'ajv';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { readChoice } from '../../compute/model/as-written.js';
import { didYouMean, nearestNames } from '../../compute/model/nearest-names.js';
import { shorten } from '../operation.js';
import type { ToolListing } from './catalogue.js';
import type { JsonSchema } from '../openapi/json-schema.js';
import { camelCaseFields } from './key-case.js';
import { withoutRules } from './rules-schema.js';
import { onceFor } from '../../storage/process/once.js';

const ajv = new Ajv({ useDefaults: true, verbose: true, strict: false });
// Operations read names of assets as people write them.
ajv.removeKeyword('pattern');

/** The check of a tool's arguments by its schema, which also sets defaults. Compiled at the first call of each tool. */
const checkOf = onceFor((inputSchema: JsonSchema) => {
  const schema = withoutRules(inputSchema);
  return { schema, validate: ajv.compile(schema) };
});

/**
 * The arguments of a call with defaults, named as operations name them. Throws `invalid_input` for the first fault, with
 * the field, what is allowed and the nearest valid value.
 */
export function readArguments(listing: ToolListing, given: unknown): Record<string, unknown> {
  // The defaults are written into the arguments.
  const { schema, validate } = checkOf(listing.inputSchema);
  const args = asWritten(given ?? {}, schema) as Record<string, unknown>;
  const written = Object.keys(args);
  if (!validate(args)) throw faultOf(validate.errors![0], listing, Object.keys(given ?? {}));
  // What is filled in would count as given: the operation says where its usual fee comes from, and a pair names its market.
  for (const name of ['fee_percent', 'trade_market']) if (!written.includes(name)) delete args[name];
  return camelCaseFields(args, schema) as Record<string, unknown>;
}

/**
 * The arguments in the form of the schema, where what was written means only one thing: `"5"` for 5 and 29000 for a text, `4H` for a
 * choice, one text for a list, a name for an object whose only required field it is.
 */
function asWritten(value: unknown, schema: JsonSchema): unknown {
  const { type, enum: choices, items, properties = {}, required = [], additionalProperties: others } = schema;
  if (Array.isArray(value)) return value.map((each) => asWritten(each, (items ?? {}) as JsonSchema));
  if (typeof value === 'object' && value !== null) {
    const schemaOf = (name: string) =>
      Object.hasOwn(properties, name) ? properties[name] : typeof others === 'object' ? others : undefined;
    const read = ([name, each]: [string, unknown]) => {
      const own = schemaOf(name);
      return [name, own ? asWritten(each, own as JsonSchema) : structuredClone(each)] as const;
    };
    // Models send null for an argument that they leave out.
    const isLeftOut = ([name, each]: [string, unknown]) =>
      each === null && typeof properties[name]?.type === 'string' && !required.includes(name);
    return Object.fromEntries(
      Object.entries(value)
        .filter((entry) => !isLeftOut(entry))
        .map(read),
    );
  }
  if (typeof value === 'number') return type === 'string' ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (Array.isArray(choices)) return readChoice(value, choices.map(String));
  if (type === 'number' || type === 'integer')
    return /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  if (type === 'boolean' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  if (type === 'array') return listOf(value).map((each) => asWritten(each, (items ?? {}) as JsonSchema));
  if (type === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return value.trim();
  return type === 'object' && required.length === 1 ? { [required[0]]: value } : value;
}

/** The items of a list that was sent as one text: JSON, or names with commas between them. */
function listOf(text: string): unknown[] {
  if (!/^\s*\[/.test(text)) return text.split(',').map((each) => each.trim());
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return [text];
  }
}

function faultOf(error: ErrorObject, listing: ToolListing, given: readonly string[]): AppError {
  const { keyword, params, instancePath } = error;
  const at = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties') {
    return unknownArgument(at, String(params.additionalProperty), listing, given);
  }
  if (keyword === 'required') return missingArgument(error, at, listing, given);
  return wrongValue(error, at);
}

const joined = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);

/** The error for a missing argument. It names an unknown argument with a similar name. */
function missingArgument(
  { params, parentSchema }: ErrorObject,
  at: string,
  { inputSchema }: ToolListing,
  given: readonly string[],
): AppError {
  const name = String(params.missingProperty);
  const allowed = wordsFor((parentSchema as JsonSchema).properties?.[name] ?? {});
  const unknown = given.filter((each) => each.length <= 60 && !Object.hasOwn(inputSchema.properties, each));
  const [near] = at === '' ? nearestNames(name, unknown) : [];
  const found = near === undefined ? '' : `, found "${near}"`;
  const field = joined(at, name);
  return fieldError(field, `"${field}" is required${found || `: ${allowed}`}`, 'invalid_input', { allowed });
}

function unknownArgument(
  at: string,
  name: string,
  { inputSchema }: ToolListing,
  given: readonly string[],
): AppError {
  const known = Object.keys(inputSchema.properties);
  const near =
    at === ''
      ? nearestNames(
          name.slice(0, 60),
          known.filter((each) => !given.includes(each)),
        )
      : [];
  const allowed = at === '' ? `; the arguments are ${known.join(', ') || 'none'}` : '';
  const field = joined(at, name.slice(0, 60));
  return new AppError('invalid_input', `"${field}" is no argument${didYouMean(near) || allowed}`, {
    details: { field, ...(near.length > 0 ? { nearest: near[0] } : { allowed: known.join(', ') }) },
  });
}

function wrongValue(
  { keyword, params, message = '', data, schema, parentSchema }: ErrorObject,
  field: string,
): AppError {
  const ofType = keyword === 'type' ? `must be ${wordsFor(parentSchema as JsonSchema)}` : undefined;
  const allowed = keyword === 'enum' ? named(params.allowedValues as unknown[]) : [];
  const near = nearestValue(data, keyword, allowed, schema);
  const must =
    allowed.length > 0
      ? `must be one of ${allowed.join(', ')}`
      : (ofType ?? boundWords(keyword, params) ?? message);
  const about = field === '' ? 'the arguments' : `"${field}"`;
  const details = {
    ...(field === '' ? {} : { field }),
    allowed:
      allowed.length > 0
        ? allowed.join(', ')
        : (ofType ?? boundWords(keyword, params) ?? message).replace(/^must (be |have )?/, ''),
    ...(near === undefined ? {} : { nearest: near }),
  };
  const meant = near === undefined ? '' : didYouMean([near]);
  return new AppError('invalid_input', `${about} ${must}, found ${shown(data)}${meant}`, { details });
}

type TypeWords = Partial<Record<string, string>>;

/** The choices as texts, without null, which stands for an argument that is not given. */
const named = (choices: readonly unknown[]): string[] => choices.filter((each) => each !== null).map(String);

/** What a schema asks for, in words, and what it says of itself. */
function wordsFor({ enum: choices, type, properties, items, description }: JsonSchema): string {
  if (Array.isArray(choices)) return `one of ${named(choices).join(', ')}`;
  const fields = Object.keys(properties ?? (items as JsonSchema | undefined)?.properties ?? {}).join(', ');
  const withFields: TypeWords = {
    array: `a list of objects with ${fields}`,
    object: `an object with ${fields}`,
  };
  const kind = String([type].flat().find((each) => each !== 'null'));
  const words = (fields === '' ? typeWords : withFields)[kind];
  const about = typeof description === 'string' ? description : undefined;
  return words && about ? `${words} (${about})` : (words ?? about ?? 'a value');
}

/** A bound of a length or count in words that models understand better than the checker's, such as "must NOT have more than". */
function boundWords(keyword: string, { limit }: ErrorObject['params']): string | undefined {
  const words: Partial<Record<string, string>> = {
    minItems: `have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
    maxItems: `have at most ${limit} items`,
    maxLength: `have at most ${limit} characters`,
  };
  return words[keyword] && `must ${words[keyword]}`;
}

const typeWords: TypeWords = {
  array: 'a list of texts in quotes',
  boolean: 'true or false',
  integer: 'a whole number, such as 10',
  number: 'a number, such as 0.5',
  object: 'an object with its fields by name',
  string: 'a text in quotes',
};

/** The valid value that was probably meant: the nearest choice, or the limit that was passed. */
function nearestValue(
  data: unknown,
  keyword: string,
  choices: readonly string[],
  schema: unknown,
): string | undefined {
  if (keyword === 'minimum' || keyword === 'maximum') return String(schema);
  if (typeof data !== 'string' || data.length > 60) return undefined;
  return keyword === 'enum' ? nearestNames(data, choices)[0] : undefined;
}

/** The value for an error message; long ones are cut. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return shorten(JSON.stringify(value), 80);
}
