import type Joi from 'joi';
import { schemaFields } from '../understood-input.js';
import { onceFor } from '../../storage/process/once.js';

/** A JSON Schema of the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  /** The component of OpenAPI that says what may stand here: what joi leaves open. */
  'x-component'?: string;
  required?: string[];
};

interface WithStandard {
  '~standard': { jsonSchema: Record<'input' | 'output', (options: { target: string }) => JsonSchema> };
}

/**
 * What a joi schema takes, as JSON Schema. It is never stricter than joi; it is looser where joi compares fields with each
 * other, which the descriptions say in words. The answer is the same object each time, because OpenAPI and the docs page
 * both show it: callers do not change it.
 */
export const jsonSchemaOf = onceFor((schema: Joi.Schema): Readonly<JsonSchema> => {
  const { jsonSchema } = (schema as unknown as WithStandard)['~standard'];
  return withExamples(repaired(jsonSchema.input({ target: 'draft-2020-12' })), schema);
});

/** The schema with what joi's own conversion gets wrong put right, at every depth. */
function repaired(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]) => [keyword, repairedDeep(value, keyword)]);
  const {
    pattern,
    enum: values,
    type,
    default: defaultValue,
    anyOf,
    patternProperties,
    ...rest
  } = Object.fromEntries(entries) as JsonSchema;
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...(patternProperties === undefined ? {} : anyFields(patternProperties as Record<string, JsonSchema>)),
    ...(Array.isArray(anyOf) ? alternatives(anyOf as JsonSchema[]) : {}),
    ...(defaultValue === undefined || isDeepDefault(defaultValue) ? {} : { default: defaultValue }),
    // Other languages do not know the names of character classes; half a surrogate pair is refused in every body.
    ...(typeof pattern === 'string' && !/\\p\{/i.test(pattern) ? { pattern } : {}),
    ...(Array.isArray(values) ? { enum: withNull(values, type) } : {}),
  };
}

/** Fields of any name, in keywords that client generators support: they ignore `patternProperties`. */
function anyFields(patterns: Record<string, JsonSchema>): JsonSchema {
  const given = Object.entries(patterns);
  if (given.length !== 1) return { patternProperties: patterns };
  const [[pattern, additionalProperties]] = given;
  return { additionalProperties, ...(pattern === '.*' ? {} : { propertyNames: { pattern } }) };
}

/**
 * The alternatives without the empty one that joi adds for values of a condition that no branch names. Its description
 * and default are those of all branches: they move up.
 */
function alternatives(given: readonly JsonSchema[]): JsonSchema {
  const isEmpty = (schema: JsonSchema) =>
    Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'default');
  return { ...given.find(isEmpty), anyOf: given.filter((schema) => !isEmpty(schema)) };
}

/** The mark of joi for an object whose default is made of the defaults of its fields. */
const isDeepDefault = (value: unknown): boolean => typeof value === 'symbol';

/** The value of a keyword with the schemas in it repaired: by name, in a list, or a single one. */
function repairedDeep(value: unknown, keyword: string): unknown {
  if (Array.isArray(value)) return value.map((each) => repairedDeep(each, ''));
  if (typeof value !== 'object' || value === null || keyword === 'default') return value;
  if (!mapsOfSchemas.has(keyword)) return repaired(value as JsonSchema);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, repairedDeep(each, '')]));
}

const mapsOfSchemas = new Set(['$defs', 'patternProperties', 'properties']);

/** The values, with null added where the type allows it. */
const withNull = (values: unknown[], type: unknown): unknown[] =>
  Array.isArray(type) && type.includes('null') && !values.includes(null) ? [...values, null] : values;

/** Joi leaves examples out of its conversion. */
function withExamples(schema: JsonSchema, from: Joi.Schema): JsonSchema {
  const fields = new Map(schemaFields(from).map((each) => [each.key, each.schema]));
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const field = fields.get(name);
    return [name, field ? withExamples(property, field) : property];
  });
  const examples = from.$_terms.examples as unknown[] | null;
  const [{ component } = {}] = (from.$_terms.metas ?? []) as { component?: string }[];
  return {
    ...schema,
    ...(component === undefined ? {} : { 'x-component': component }),
    ...(schema.properties
      ? { properties: Object.fromEntries(properties) as Record<string, JsonSchema> }
      : {}),
    ...(examples && examples.length > 0 ? { examples } : {}),
  };
}

/** Values for every field that must be there, and for those that have an example. */
export function exampleOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  const shown = Object.entries(properties).filter(
    ([name, { examples }]) => required.includes(name) || examples !== undefined,
  );
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleValue(property)]));
}

function exampleValue(schema: JsonSchema): unknown {
  const { examples, enum: values, type, minimum } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(values)) return values[0];
  if (type === 'object') return exampleOf(schema);
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (schema.format === 'email') return 'you@example.com';
  if (type === 'string') return 'text';
  return typeof minimum === 'number' ? minimum : 1;
}
