import type { JsonSchema } from '../../openapi/json-schema.js';
import { snakeCase } from '../key-case.js';

/** A list of objects with each name written once. */
export interface Table {
  columns: string[];
  rows: unknown[][];
}

/** Turns payloads of one shape into structured content, which `schema` describes. */
export interface StructuredForm {
  schema: JsonSchema;
  convert: (value: unknown) => unknown;
}

const asItIs = (value: unknown) => value;

/**
 * The form of the payloads that a schema describes, for AI clients: names in snake_case, and lists of objects as tables
 * whose columns are the fields. A nested object of a row becomes columns with a dot in their names, which are null if it is. Keys that the schema does not name (symbols, parameters) are data and stay.
 */
export function structuredForm(schema: JsonSchema): StructuredForm {
  const { type, anyOf, properties } = schema;
  if (Array.isArray(anyOf)) return { schema, convert: asItIs };
  const kind = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  if (kind === 'array') return nullable(schema, listForm(schema));
  if (kind === 'object' && properties) return nullable(schema, objectForm(schema, properties));
  if (kind === 'object' && typeof schema.additionalProperties === 'object')
    return nullable(schema, recordForm(schema, schema.additionalProperties as JsonSchema));
  const { 'x-component': _, ...plain } = schema;
  return { schema: plain, convert: asItIs };
}

const isTable = (items: JsonSchema | undefined): items is JsonSchema =>
  items?.properties !== undefined && Object.keys(items.properties).length > 1;

function nullable(from: JsonSchema, { schema, convert }: StructuredForm): StructuredForm {
  const takesNull = Array.isArray(from.type) && from.type.includes('null');
  return {
    schema: takesNull ? { ...schema, type: [schema.type as string, 'null'] } : schema,
    convert: (value) => (value === null || value === undefined ? null : convert(value)),
  };
}

function listForm({ items, description }: JsonSchema): StructuredForm {
  const item = (items ?? {}) as JsonSchema;
  const about = description === undefined ? {} : { description };
  if (isTable(item)) return tableForm(item, about);
  const form = structuredForm(item);
  return {
    schema: { type: 'array', ...about, items: form.schema },
    convert: (value) => (form.convert === asItIs ? value : (value as unknown[]).map(form.convert)),
  };
}

function objectForm(
  { description, required }: JsonSchema,
  properties: Record<string, JsonSchema>,
): StructuredForm {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    outside: snakeCase(name),
    form: structuredForm(schema),
  }));
  const schema: JsonSchema = {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(fields.map(({ outside, form }) => [outside, form.schema])),
    ...(required ? { required: required.map(snakeCase) } : {}),
  };
  return {
    schema,
    convert: (value) => {
      const from = value as Record<string, unknown>;
      const given = fields.filter(({ name }) => from[name] !== undefined);
      return Object.fromEntries(given.map(({ name, outside, form }) => [outside, form.convert(from[name])]));
    },
  };
}

function recordForm({ description }: JsonSchema, values: JsonSchema): StructuredForm {
  const form = structuredForm(values);
  return {
    schema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      additionalProperties: form.schema,
    },
    convert: (value) =>
      Object.fromEntries(
        Object.entries(value as object).map(([key, each]) => [key, form.convert(each as unknown)]),
      ),
  };
}

/** A column of a table: its name, what its cells look like, and where they come from. */
interface Column {
  name: string;
  form: StructuredForm;
  path: readonly string[];
}

function tableForm(item: JsonSchema, about: object): StructuredForm {
  const columns = columnsOf(item, [], false);
  const names = columns.map(({ name }) => name);
  const schema: JsonSchema = {
    type: 'object',
    ...about,
    properties: {
      columns: { type: 'array', items: { enum: names } },
      rows: {
        type: 'array',
        items: { type: 'array', prefixItems: columns.map(({ form }) => form.schema), maxItems: names.length },
      },
    },
    required: ['columns', 'rows'],
  };
  return {
    schema,
    convert: (value): Table => ({
      columns: names,
      rows: (value as unknown[]).map((row) => columns.map(({ form, path }) => form.convert(cell(row, path)))),
    }),
  };
}

/** The columns of the rows that a schema describes, objects inside of them laid flat. */
function columnsOf(
  { properties = {}, required = [] }: JsonSchema,
  before: readonly string[],
  isNullable: boolean,
): Column[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...before, name];
    const { type } = schema;
    const mayLack = isNullable || !required.includes(name);
    const takesNull = mayLack || (Array.isArray(type) && type.includes('null'));
    if (schema.properties && !schema.anyOf) return columnsOf(schema, path, takesNull);
    const form = structuredForm(schema);
    const column = { name: path.map(snakeCase).join('.'), path };
    if (!mayLack) return [{ ...column, form }];
    return [{ ...column, form: nullableCell({ ...form, schema: withNull(form.schema) }) }];
  });
}

/** A field that a row lacks, or whose object is null, is null in its column. */
const nullableCell = ({ schema, convert }: StructuredForm): StructuredForm => ({
  schema,
  convert: (value) => (value === null || value === undefined ? null : convert(value)),
});

/** The same schema, which also allows null: for the columns of an object that may be null. */
function withNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = [type].flat();
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

const cell = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (at === null || at === undefined ? null : (at as Record<string, unknown>)[name]),
    row,
  );

/** Whether a part of structured content is a table. */
export const isTableValue = (value: unknown): value is Table =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Partial<Table>).columns) &&
  Array.isArray((value as Partial<Table>).rows);
