import type { JsonSchema } from '../../../openapi/json-schema.js';
import { dataFile } from '../data-file.js';
import { termOf } from '../vocabulary/words.js';
import { wordSet } from '../word-list.js';

/** What a field is called besides its own name, and how it is told. */
interface FieldWords {
  /** Further names between bars. */
  names?: string;
  /** Default: the words of its own name. */
  label?: string;
  /** A template for an object, or for each row of a list. */
  says?: string;
}

/** A field of the output of a tool that a question can ask for by name. */
export interface OutputField {
  /** The names that lead to it; a star stands for the items of a list and the values of a record. */
  path: readonly string[];
  kind: 'figure' | 'range' | 'object' | 'list' | 'key';
  /** The words of its name in the schema. */
  ownName: string;
  /** Its names as stems. */
  names: readonly (readonly string[])[];
  /** The names of all that it stands in, as stems. */
  within: readonly (readonly string[])[];
  /** Whether its own name says nothing alone: "value", "score". */
  isGeneric: boolean;
  label: string;
  /** Whether it is a number of rows that moments alone tell apart. */
  isOfSeries: boolean;
  /** Its sentence in the documentation, which ends with its unit. */
  about: string;
  /** Of the lower end of an interval: the name of the upper end, and the field that the interval is of. */
  high?: string;
  base?: readonly string[];
  says?: string;
}

/** The words for fields: by "parent.field", or by the name of the field alone. */
const words = dataFile<Readonly<Record<string, FieldWords>>>('output-fields');
const generic = wordSet('output-fields', 'generic');
const skipped = wordSet('output-fields', 'skipped');
const numericKeys = wordSet('output-fields', 'numericKeys');

const bySchema = new WeakMap<object, readonly OutputField[]>();

/** The fields of an output that a question can ask for. */
export function outputFields(schema: JsonSchema): readonly OutputField[] {
  const known = bySchema.get(schema) ?? fieldsOf(schema, []);
  bySchema.set(schema, known);
  return known;
}

function fieldsOf(schema: JsonSchema, path: readonly string[]): OutputField[] {
  const { properties = {}, items, additionalProperties, anyOf } = schema;
  const inner = items ?? additionalProperties ?? (anyOf as JsonSchema[] | undefined)?.find(hasFields);
  if (typeof inner === 'object')
    return fieldsOf(inner as JsonSchema, anyOf === undefined ? [...path, '*'] : path);
  return Object.entries(properties).flatMap(([name, each]) => {
    const own = [...path, name];
    if (skipped.has(name) || name.endsWith('Reason') || isUpperEnd(name, properties)) return [];
    // What tells rows apart is told with their figures.
    const isLabel =
      path.at(-1) === '*' &&
      (numericKeys.has(name) || (each.type === 'string' && wordsFor(own).label === undefined));
    const isKey = path.at(-1) === '*' && numericKeys.has(name) && each.type !== 'string';
    const field = fieldAt(own, each, properties);
    return [
      ...(isKey ? [{ ...field, kind: 'key' as const, names: [] }] : isLabel ? [] : [field]),
      ...fieldsOf(each, own),
    ];
  });
}

const hasFields = ({ properties, items }: JsonSchema): boolean => (properties ?? items) !== undefined;

const sentenceOf = ({ description }: JsonSchema): string =>
  typeof description === 'string' ? description : '';

const isLowerEnd = (name: string, among: Readonly<Record<string, JsonSchema>>): boolean =>
  sentenceOf(among[name] ?? {}).includes('lower end');
const isUpperEnd = (name: string, among: Readonly<Record<string, JsonSchema>>): boolean =>
  isLowerEnd(name.replace('High', 'Low').replace(/^high/, 'low'), among) && /[Hh]igh/.test(name);

function fieldAt(
  path: readonly string[],
  schema: JsonSchema,
  among: Readonly<Record<string, JsonSchema>>,
): OutputField {
  const name = path.at(-1)!;
  const isRange = isLowerEnd(name, among);
  // "hitRateLowPercent" is an end of "hitRatePercent", "lowPercent" one of "meanPercent".
  const bare = name.replace(/Low|^low/, '');
  const base = [bare, `mean${bare}`, 'correlation'].find((each) => among[each] !== undefined) ?? name;
  const { names = '', label = plainName(base), says } = wordsFor([...path.slice(0, -1), base]);
  const isObject = [schema.type].flat().includes('object');
  return {
    path,
    ownName: plainName(name),
    kind: isRange ? 'range' : schema.items === undefined ? (isObject ? 'object' : 'figure') : 'list',
    names: isRange ? rangeNames : [plainName(name), ...names.split(' | ')].map(stemsOf).filter(isNamed),
    within: path.slice(0, -1).flatMap((each, at) => (each === '*' ? [] : namesAt(path.slice(0, at + 1)))),
    isGeneric: !isRange && generic.has(plainName(name)),
    label,
    isOfSeries:
      path.at(-2) === '*' &&
      schema.type === 'number' &&
      Object.entries(among).every(([each, { type }]) => (each === 'time') === (type === 'string')),
    about: sentenceOf(schema),
    ...(isRange
      ? { high: name.replace('Low', 'High').replace(/^low/, 'high'), base: [...path.slice(0, -1), base] }
      : {}),
    ...(says === undefined ? {} : { says }),
  };
}

const wordsFor = (path: readonly string[]): FieldWords =>
  words[
    path
      .filter((each) => each !== '*')
      .slice(-2)
      .join('.')
  ] ??
  words[path.at(-1)!] ??
  {};

const namesAt = (path: readonly string[]): string[][] =>
  [plainName(path.at(-1)!), ...(wordsFor(path).names ?? '').split(' | ')].map(stemsOf).filter(isNamed);

/** The words of a name without its unit: "max drawdown" of "maxDrawdownPercent". */
export const plainName = (name: string): string =>
  name
    .replace(/(?<=.)(?:Percent|Points)$/, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ')
    .toLowerCase();

const stemsOf = (name: string): string[] =>
  name
    .split(' ')
    .filter((word) => word !== '')
    .map(termOf);
const isNamed = (stems: readonly string[]): boolean => stems.length > 0;

const rangeNames = (words.range.names ?? '').split(' | ').map(stemsOf);

/** The names of figures of any tool, as their labels are: in several words, which mean nothing else. */
export const figureNames: readonly (readonly string[])[] = Object.values(words)
  .map(({ label = '' }) => stemsOf(label.toLowerCase().replaceAll('-', ' ')))
  .filter((name) => name.length > 1 && !name.includes('of') && !name.includes('the'));
