import type { JsonSchema } from '../openapi/json-schema.js';

/** `tradeMarket` -> `trade_market`; `MACD` -> `macd`; `expectedRHigh` -> `expected_r_high`; digits stay with the word before them. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** `trade_market` -> `tradeMarket`. */
const camelCase = (name: string): string =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/**
 * The arguments of a tool with names in camelCase, as operations have them. Only names that the tool's schema declares are
 * changed: other keys, such as the symbols of `weights`, are data.
 */
export function camelCaseFields(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const items = schema.items as JsonSchema | undefined;
    return items ? value.map((each) => camelCaseFields(each, items)) : value;
  }
  const { properties } = schema;
  if (typeof value !== 'object' || value === null || !properties) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      Object.hasOwn(properties, name)
        ? [camelCase(name), camelCaseFields(each, properties[name])]
        : [name, each],
    ),
  );
}

/** The schema of an operation's input as the schema of a tool's arguments: names of fields in snake_case, at every depth. */
export function snakeCaseSchema(schema: Readonly<JsonSchema>): JsonSchema {
  const { properties, required, items } = schema;
  return {
    ...schema,
    ...(required ? { required: required.map(snakeCase) } : {}),
    ...(items ? { items: snakeCaseSchema(items as JsonSchema) } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [snakeCase(name), snakeCaseSchema(each)]),
          ),
        }
      : {}),
  };
}
