import type Joi from 'joi';

type Path = readonly (string | number)[];

/** The first item of a list stands for all of it. */
const mostItems = 1;

/**
 * Payloads that the schema allows beside a real one: each field that may be null is null, each list that may be empty is
 * empty, one at a time; and last, all of them that go together.
 */
export function oddPayloads(payload: object, schema: Joi.Schema): object[] {
  const isAllowed = (value: unknown) => schema.validate(value, { convert: false }).error === undefined;
  const one: object[] = [];
  let all = structuredClone(payload);
  for (const path of pathsOf(payload)) {
    const empty = Array.isArray(valueAt(payload, path)) ? [] : null;
    const odd = withValue(payload, path, empty);
    if (!isAllowed(odd)) continue;
    one.push(odd);
    const further = withValue(all, path, empty);
    if (isAllowed(further)) all = further;
  }
  return [...one, all];
}

/** Every place of a value, the outer ones first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return path.length === 0 ? [] : [path];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? (value as unknown[]).slice(0, mostItems).map((item, n): [number, unknown] => [n, item])
    : Object.entries(value);
  const inner = entries.flatMap(([key, each]) => pathsOf(each, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((each: unknown, key) => (each as Record<string, unknown> | null | undefined)?.[key], value);

function withValue(payload: object, path: Path, value: unknown): object {
  const copy = structuredClone(payload);
  const parent = valueAt(copy, path.slice(0, -1));
  if (parent !== null && typeof parent === 'object')
    (parent as Record<string | number, unknown>)[path[path.length - 1]] = value;
  return copy;
}
