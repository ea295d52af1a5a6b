import type { JsonSchema } from './json-schema.js';
import { chooseModelNames, type ModelPlace } from './choose-model-names.js';
import { pascal } from './model-names.js';

const reference = '#/components/schemas/';

/**
 * Gives every object and enumeration in a document a name, which becomes the name of its type in generated clients: equal
 * schemas have one name. `find` has to see all schemas before `replace` is called for them.
 */
export class NamedSchemas {
  readonly #places = new Map<string, ModelPlace[]>();
  #names = new Map<string, string>();
  readonly #made = new Map<string, JsonSchema>();

  /** The schemas by name, in the order of the names. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Notes a schema and those inside of it. */
  find(schema: JsonSchema, place: ModelPlace): void {
    if (schema['x-component'] !== undefined) return;
    const bare = withoutNull(schema);
    if (isModel(bare)) {
      const key = keyOf(bare, place);
      this.#places.set(key, [...(this.#places.get(key) ?? []), place]);
    }
    for (const [inner, at] of partsOf(bare, place)) this.find(inner, at);
  }

  /** The schema with references in place of the models in it. */
  replace(schema: JsonSchema, place: ModelPlace): JsonSchema {
    if (schema['x-component'] !== undefined)
      return { $ref: reference + schema['x-component'], ...keep(schema) };
    if (this.#names.size === 0) this.#names = chooseModelNames(this.#places);
    const bare = withoutNull(schema);
    if (!isModel(bare)) return this.#inside(schema, place);
    const name = this.#names.get(keyOf(bare, place))!;
    if (!this.#made.has(name)) {
      // Set before its parts are made: a model keeps its place in a document that is made twice.
      this.#made.set(name, bare);
      this.#made.set(name, withoutNotes(this.#inside(bare, place), ['default', 'examples']));
    }
    const $ref = reference + name;
    return bare === schema
      ? { $ref, ...keep(schema) }
      : { anyOf: [{ $ref }, { type: 'null' }], ...keep(schema) };
  }

  #inside(schema: JsonSchema, place: ModelPlace): JsonSchema {
    const made = new Map(partsOf(schema, place).map(([inner, at]) => [inner, this.replace(inner, at)]));
    const swap = (inner: unknown) => made.get(inner as JsonSchema) ?? inner;
    const { properties, items, anyOf, additionalProperties, ...rest } = schema;
    return {
      ...rest,
      ...(properties
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, inner]) => [name, swap(inner) as JsonSchema]),
            ),
          }
        : {}),
      ...(items === undefined ? {} : { items: swap(items) }),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(swap) } : {}),
      ...(additionalProperties === undefined ? {} : { additionalProperties: swap(additionalProperties) }),
    };
  }
}

function keep({ default: defaultValue, description, examples }: JsonSchema): JsonSchema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(examples === undefined ? {} : { examples }),
  };
}

/** The schema without null among its types. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const others = (anyOf as JsonSchema[]).filter((each) => each.type !== 'null');
    if (others.length === anyOf.length) return schema;
    return others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others };
  }
  if (!Array.isArray(type) || !type.includes('null')) return schema;
  const types = type.filter((each) => each !== 'null');
  return {
    type: types.length === 1 ? types[0] : types,
    ...rest,
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
}

/** Whether a schema gets a name: objects, enumerations, and values of several types do. */
const isModel = ({
  type,
  enum: values,
  anyOf,
  $ref,
  properties,
  additionalProperties,
}: JsonSchema): boolean =>
  $ref === undefined &&
  ((type === 'object' && (properties !== undefined || typeof additionalProperties === 'object')) ||
    (Array.isArray(values) && values.length > 1 && values.every((value) => typeof value === 'string')) ||
    Array.isArray(anyOf));

/** Equal for schemas that share a model: the order of an enumeration, and descriptions, defaults and examples do not count. */
function keyOf(schema: JsonSchema, { own = '' }: ModelPlace): string {
  const shape = withoutNotes(schema, ['default', 'description', 'examples']);
  const words = Array.isArray(shape.enum) ? { enum: [...(shape.enum as string[])].sort() } : {};
  return `${own} ${JSON.stringify({ ...shape, ...words })}`;
}

const withoutNotes = (schema: JsonSchema, names: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

/** The schemas directly inside of one, with their places. */
function partsOf(
  schema: JsonSchema,
  { root, stem, path, fields = {} }: ModelPlace,
): [JsonSchema, ModelPlace][] {
  const { properties = {}, items, anyOf, additionalProperties } = schema;
  const below = (...more: string[]): ModelPlace => ({ root, stem, path: [...path, ...more] });
  const field = path.at(-1) ?? '';
  const asItem: ModelPlace = { root, stem, path: [...path.slice(0, -1), `${field}[]`] };
  return [
    ...Object.entries(properties).map(([name, inner]): [JsonSchema, ModelPlace] => [
      inner,
      fields[name] ?? below(name),
    ]),
    ...(items === undefined ? [] : [[items as JsonSchema, asItem] as [JsonSchema, ModelPlace]]),
    ...(Array.isArray(anyOf)
      ? (anyOf as JsonSchema[]).map((inner): [JsonSchema, ModelPlace] => [
          inner,
          alternative(inner, below(), field),
        ])
      : []),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? [[additionalProperties as JsonSchema, below('value')] as [JsonSchema, ModelPlace]]
      : []),
  ];
}

/** An alternative is named by the word that its description ends with: `EmaCrossParams` for the parameters of ema_cross. */
function alternative({ description }: JsonSchema, place: ModelPlace, field: string): ModelPlace {
  const word = /^parameters of (\w+)$/.exec(description as string)?.[1];
  return word === undefined ? place : { ...place, own: pascal(word) + pascal(field) };
}
