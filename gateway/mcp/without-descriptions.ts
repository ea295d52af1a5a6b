import type { JsonSchema } from '../openapi/json-schema.js';

/** A schema without descriptions, examples and defaults: programs check answers by it, and sentences would make tools/list long. */
export const withoutDescriptions = (schema: JsonSchema): JsonSchema => bare(schema, false) as JsonSchema;

/** `areNames`: the keys of this object are names of fields, not keywords. */
function bare(value: unknown, areNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each, false));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([keyword]) => areNames || !['description', 'examples', 'default'].includes(keyword),
  );
  return Object.fromEntries(
    kept.map(([keyword, each]) => [keyword, bare(each, !areNames && keyword === 'properties')]),
  );
}
