import Joi from 'joi';
import { readChoice, readTime, timeForms } from '../../../compute/model/as-written.js';
import { decimalPattern } from '../../../compute/model/decimal.js';
import {
  unitWords,
  type AnyField,
  type Fields,
  type NamedParams,
  type Values,
} from '../../../compute/model/field.js';
import { paramsOf, type ParamSpec } from '../../../compute/model/indicator.js';

/** How many values of one parameter a grid may have. */
const mostGridValues = 1_000;

type Kind = AnyField['kind'];
type OfKind<K extends Kind> = Extract<AnyField, { kind: K }>;

/** Whether a field is given by a caller, who may leave out what has a default, or is part of an answer. */
export type FieldUse = 'input' | 'answer';

/** The joi schema of the values that a field describes, with its sentence, default and example. */
function fieldSchema(field: AnyField, use: FieldUse = 'input'): Joi.Schema {
  const make = schemas[field.kind] as (field: AnyField, use: FieldUse) => Joi.Schema;
  const schema = make(field, use).description(sentenceOf(field));
  const nullable = field.isNullable ? schema.allow(null) : schema;
  if (use === 'answer') return nullable.required();
  const shown = field.example === undefined ? nullable : nullable.example(field.example);
  if (field.default !== undefined) return shown.default(field.default);
  return field.kind === 'params' ? shown : shown.required();
}

/** The schema of an object with these fields; a caller may leave out those with a default. */
export const objectSchema = <F extends Fields>(fields: F): Joi.ObjectSchema<Values<F>> =>
  Joi.object<Values<F>>(keysOf(fields));

/** The schema of each field, for an object that has others too. */
export const keysOf = (fields: Fields, use: FieldUse = 'input'): Record<string, Joi.Schema> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, use)]));

/** What documentation says of a field: its sentence, and its unit. */
function sentenceOf(field: AnyField): string {
  const unit = 'unit' in field && field.unit ? `, ${unitWords[field.unit]}` : '';
  return field.text + unit;
}

const schemas: { [K in Kind]: (field: OfKind<K>, use: FieldUse) => Joi.Schema } = {
  number: (field, use) => (use === 'input' ? numberSchema(field).prefs(asWritten) : numberSchema(field)),
  decimal: ({ isPositive = false }) =>
    Joi.alternatives(Joi.string().pattern(decimalPattern, 'a decimal number'), Joi.number())
      .custom((value: string | number, helpers) => decimalText(value, isPositive, helpers))
      .messages(decimalFaults),
  text: ({ maxLength, pattern, patternName, means }) => {
    const any = maxLength === undefined ? Joi.string() : Joi.string().max(maxLength);
    // Names of exchanges and currencies are in capitals.
    const named = means === 'exchange' || means === 'quote' ? any.uppercase().prefs(asWritten) : any;
    const text = means === undefined ? named : named.meta({ means });
    return pattern ? text.pattern(pattern, patternName ?? String(pattern)) : text;
  },
  time: (_, use) => (use === 'input' ? writtenTime() : Joi.string().isoDate()),
  flag: (_, use) => (use === 'input' ? Joi.boolean().prefs(asWritten) : Joi.boolean()),
  choice: ({ values }, use) => (use === 'input' ? writtenChoice(values) : Joi.string().valid(...values)),
  list: ({ item, min, max, isUnique }, use) => {
    let list = Joi.array().items(fieldSchema(item, use).optional());
    if (min !== undefined) list = list.min(min);
    if (max !== undefined) list = list.max(max);
    return isUnique ? list.unique() : list;
  },
  object: ({ fields }, use) =>
    use === 'input' ? written.object(keysOf(fields)).prefs(asWritten) : Joi.object(keysOf(fields, use)),
  record: ({ value, min, max, keys }, use) => {
    let record = Joi.object().pattern(Joi.string(), fieldSchema(value, use));
    if (keys !== undefined) record = record.meta({ means: keys });
    if (min !== undefined) record = record.min(min);
    if (max !== undefined) record = record.max(max);
    return record;
  },
  params: paramsSchema,
  union: ({ of }, use) => Joi.alternatives(...of.map((each) => fieldSchema(each, use).optional())),
};

/** How input that has several forms is read, such as a number as text. This holds in JSON bodies as well. */
const asWritten = { convert: true } as const;

interface Internals {
  _valids: { values: () => unknown[] };
  _flags: { presence?: string };
}

const written = Joi.extend(
  {
    type: 'string',
    base: Joi.string(),
    coerce: {
      from: 'string',
      method(value: string, { schema }) {
        const choices = (schema as unknown as Internals)._valids.values();
        const texts = choices.filter((each) => typeof each === 'string');
        return { value: readChoice(value, texts) };
      },
    },
  },
  {
    type: 'object',
    base: Joi.object(),
    coerce: {
      from: 'string',
      // A name for an object whose only required field it is, such as an indicator with its usual parameters.
      method(value: string, { schema }) {
        const keys = schema.$_terms.keys as { key: string; schema: Internals }[];
        const required = keys.filter((each) => each.schema._flags.presence === 'required');
        return { value: required.length === 1 ? { [required[0].key]: value } : value };
      },
    },
  },
) as Joi.Root;

/** One of the choices, whatever its case, blanks and hyphens; an interval or period also as another text of the same length. */
export const writtenChoice = (values: readonly string[]): Joi.StringSchema =>
  written
    .string()
    .valid(...values)
    .prefs(asWritten);

/** A moment in any form that `readTime` reads, as ms since 1970. */
const writtenTime = (): Joi.Schema =>
  Joi.alternatives(Joi.string().max(40), Joi.number())
    .custom((value: string | number, { error }) => readTime(value) ?? error('time.unread'))
    .messages({
      'time.unread': Joi.expression(`{{#label}} must be ${timeForms}`) as string,
      'alternatives.types': Joi.expression(`{{#label}} must be ${timeForms}`) as string,
    });

function numberSchema({ min, max, above, below, isWhole }: OfKind<'number'>): Joi.Schema {
  let number = isWhole ? Joi.number().integer() : Joi.number();
  if (min !== undefined) number = number.min(min);
  if (max !== undefined) number = number.max(max);
  if (above !== undefined) number = number.greater(above);
  return below === undefined ? number : number.less(below);
}

/** Accepts a JSON number if its text is exact: at most 15 digits and no exponent. */
function decimalText(
  value: string | number,
  isPositive: boolean,
  { error }: Joi.CustomHelpers,
): string | Joi.ErrorReport {
  const text = String(value);
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  if (typeof value === 'number' && !(decimalPattern.test(text) && digits.length <= 15))
    return error('decimal.inexact');
  return isPositive && (digits === '' || text.startsWith('-')) ? error('decimal.positive') : text;
}

/** The messages are compiled here, because joi compiles plain texts again for each value. */
const decimalFaults = {
  'decimal.inexact': Joi.expression(
    '{{#label}} has more digits than a number keeps exactly: send it as text',
  ) as string,
  'decimal.positive': Joi.expression('{{#label}} must be above 0') as string,
  'alternatives.types': Joi.expression(
    '{{#label}} must be a decimal number, as text or as a number',
  ) as string,
};

/** Schemas that were made of a field. Many jobs and operations have fields in common, and some schemas take a millisecond. */
const paramsSchemas = new WeakMap<OfKind<'params'>['specs'], Map<string, Joi.Schema>>();

/** Parameters of the strategy or indicator that a neighbouring field names; omitted parameters keep their defaults. */
function paramsSchema({ of, specs, isGrid = false }: OfKind<'params'>): Joi.Schema {
  const made = paramsSchemas.get(specs) ?? new Map<string, Joi.Schema>();
  paramsSchemas.set(specs, made);
  const key = `${of} ${isGrid}`;
  const schema =
    made.get(key) ??
    Joi.when(of, {
      switch: Object.entries(specs).map(([name, named]) => ({
        is: name,
        then: namedParams(name, named, isGrid),
      })),
    });
  made.set(key, schema);
  return schema;
}

/** A grid may hold combinations that do not go together: they are skipped. */
function namedParams(name: string, named: NamedParams, isGrid: boolean): Joi.Schema {
  const keys = Object.entries(named.params).map(([param, spec]) => [
    param,
    isGrid ? gridValues(spec) : paramSchema(spec).default(spec.default),
  ]);
  const schema = Joi.object<Record<string, number>>(Object.fromEntries(keys) as Record<string, Joi.Schema>)
    .description(`parameters of ${name}`)
    .messages({ 'object.unknown': Joi.expression(unknownParam(name, named.params)) as string });
  return isGrid ? schema : allowedTogether(schema, name, named).default();
}

/**
 * Refuses values that are each within their range but do not go together. The order of the names is always the same: equal
 * parameters make equal requests.
 */
function allowedTogether(
  schema: Joi.ObjectSchema<Record<string, number>>,
  name: string,
  { params: specs, allows, allowed = 'these values do not go together' }: NamedParams,
): Joi.ObjectSchema {
  return schema
    .custom((given: Record<string, number>, { error }) => {
      const params = paramsOf(specs, given);
      return (allows?.(params) ?? true) ? params : error('params.refused', { given: valuesOf(params) });
    })
    .messages({
      'params.refused': Joi.expression(`{{#label}} of ${name}: ${allowed}, found {{#given}}`) as string,
    });
}

const valuesOf = (params: Record<string, number>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const gridValues = (spec: ParamSpec) =>
  Joi.array().items(paramSchema(spec)).min(1).max(mostGridValues).description(`values: ${spec.title}`);

function paramSchema({ min, max, step = 1, title }: ParamSpec): Joi.NumberSchema {
  const number = Joi.number().min(min).max(max).description(title);
  const stepped = step === 1 ? number.integer() : number.custom(inSteps(step));
  const wanted = `${step === 1 ? 'a whole number' : 'a number'} from ${min} to ${max}`;
  const message = `{{#label}} must be ${step === 1 ? wanted : `${wanted} in steps of ${step}`}`;
  return stepped.messages(Object.fromEntries(numberFaults.map((fault) => [fault, message])));
}

const numberFaults = ['base', 'infinity', 'integer', 'max', 'min', 'step', 'unsafe'].map(
  (name) => `number.${name}`,
);

/** Accepts multiples of a step. A step such as 0.1 is no binary fraction, so rounding errors are allowed. */
const inSteps =
  (step: number) =>
  (value: number, { error }: Joi.CustomHelpers): number | Joi.ErrorReport =>
    Math.abs(value / step - Math.round(value / step)) < 1e-6 ? value : error('number.step');

function unknownParam(name: string, specs: Readonly<Record<string, ParamSpec>>): string {
  const known = Object.entries(specs).map(
    ([param, { min, max, default: defaultValue }]) => `${param} (${min} to ${max}, default ${defaultValue})`,
  );
  return `"{{#child}}" is not a parameter of ${name}, which takes ${known.join(', ') || 'none'}`;
}
