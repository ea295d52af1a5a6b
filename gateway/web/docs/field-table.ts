import type { JsonSchema } from '../../openapi/json-schema.js';
import { html, type Html } from '../html.js';
import { plainTable } from './plain-table.js';

interface Field {
  name: string;
  type: string;
  required: boolean;
  notes: string[];
}

/**
 * A table of all fields of an object; nested fields are named by their path. Only for a request it marks required fields,
 * because all fields of answers are always present.
 */
export function fieldTable(schema: JsonSchema, of: 'request' | 'answer'): Html {
  const rows = fieldsOf(schema, '');
  if (rows.length === 0) return html`<p>No fields.</p>`;
  return plainTable(
    ['Field', 'Type', 'Meaning'],
    rows.map((field) => cellsOf({ ...field, required: field.required && of === 'request' })),
  );
}

/** The names of all fields, without the objects that they are in. */
export const fieldNamesOf = (schema: JsonSchema): string[] =>
  fieldsOf(schema, '').map(({ name }) => name.split(/[.[]/).at(-1)!);

/** How many fields an object has in all. */
export const fieldCount = (schema: JsonSchema): number => fieldsOf(schema, '').length;

const cellsOf = ({ name, type, required, notes }: Field) => [
  html`<code>${name}</code>`,
  type,
  [required ? 'required' : '', ...notes].filter((note) => note !== '').join('; '),
];

function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const inner = schema.type === 'array' || includesArray(schema) ? (schema.items as JsonSchema) : schema;
    const separator = inner === schema ? '.' : '[].';
    return [
      {
        name: path,
        type: typeOf(schema),
        required: required.includes(name),
        notes: notesOf(schema),
      },
      ...fieldsOf(inner ?? {}, `${path}${separator}`),
      ...alternativesOf(schema, `${path}.`),
    ];
  });
}

/** The fields of objects that a field may be; each says for which of them it is. */
const alternativesOf = ({ anyOf }: JsonSchema, prefix: string): Field[] =>
  ((anyOf ?? []) as JsonSchema[]).flatMap((each) =>
    fieldsOf(each, prefix).map((field) => ({
      ...field,
      notes: [typeof each.description === 'string' ? each.description : '', ...field.notes],
    })),
  );

const includesArray = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('array');

function typeOf(schema: JsonSchema): string {
  const { type, items, format, anyOf } = schema;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((each) => typeOf(each as JsonSchema)))].join(' or ');
  const names = [type ?? 'any'].flat().map((name) => {
    if (name === 'array') return `array of ${items ? typeOf(items as JsonSchema) : 'any'}`;
    return name === 'string' && typeof format === 'string' ? `string (${format})` : name;
  });
  return names.join(' or ');
}

function notesOf({
  description,
  minimum,
  maximum,
  minLength,
  maxLength,
  enum: values,
  ...schema
}: JsonSchema): string[] {
  const text = (value: unknown) => JSON.stringify(value);
  return [
    typeof description === 'string' ? description : '',
    Array.isArray(values) ? `one of ${values.map(text).join(', ')}` : '',
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? '' : range(minLength, maxLength, ' characters'),
    schema.default === undefined ? '' : `default ${text(schema.default)}`,
  ];
}

function range(least: unknown, most: unknown, unit: string): string {
  const bounds = { least: shown(least), most: shown(most) };
  if (bounds.least === '' && bounds.most === '') return '';
  if (bounds.most === '') return `at least ${bounds.least}${unit}`;
  return bounds.least === '' ? `at most ${bounds.most}${unit}` : `${bounds.least} to ${bounds.most}${unit}`;
}

const shown = (bound: unknown) => (typeof bound === 'number' ? String(bound) : '');
