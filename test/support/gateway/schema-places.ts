import type { JsonSchema } from '../../../gateway/openapi/json-schema.js';

/** A schema inside of another: where it stands, and whether it is a field with a name of its own. */
export interface SchemaPlace {
  place: string;
  schema: JsonSchema;
  isField: boolean;
}

/** The schema and all schemas inside of it. */
export function schemaPlaces(schema: JsonSchema, place = '', isField = false): SchemaPlace[] {
  const { properties = {}, items, anyOf, oneOf, patternProperties = {}, additionalProperties } = schema;
  const inner = (name: string, value: unknown, named = false) =>
    typeof value === 'object' && value !== null
      ? schemaPlaces(value as JsonSchema, `${place}${name}`, named)
      : [];
  return [
    { place, schema, isField },
    ...Object.entries(properties).flatMap(([name, value]) => inner(`.${name}`, value, true)),
    ...inner('[]', items),
    ...[anyOf ?? [], oneOf ?? []].flat().flatMap((value) => inner('|', value)),
    ...Object.values(patternProperties as object).flatMap((value) => inner('{}', value)),
    ...inner('{}', additionalProperties),
  ];
}
