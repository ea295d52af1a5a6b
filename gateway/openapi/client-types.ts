/** The keywords of a schema that decide its type. */
interface TypedSchema {
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TypedSchema[];
  type?: string | readonly string[];
  items?: TypedSchema;
  properties?: Readonly<Record<string, TypedSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | TypedSchema;
}

interface ClientOperation {
  parameters?: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: TypedSchema }[];
  requestBody?: { required: boolean; content: Readonly<Record<string, { schema: TypedSchema }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: TypedSchema }>> }>>;
}

/** What the types need of the OpenAPI document. */
export interface ClientDocument {
  paths: Readonly<Record<string, Readonly<Record<string, ClientOperation>>>>;
  components: { schemas: Readonly<Record<string, TypedSchema>> };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * The types of a client in TypeScript, in the form that openapi-fetch reads: `paths` and `components`. JSON alone; fields with a
 * default may be left out.
 */
export function clientTypes({ paths, components }: ClientDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `    ${name}: ${typeOf(schema)};`,
  );
  const routes = Object.entries(paths).map(
    ([path, item]) => `  ${JSON.stringify(path)}: {\n${operationsOf(item)}\n  };`,
  );
  return `export interface paths {\n${routes.join('\n')}\n}\nexport interface components {\n  schemas: {\n${schemas.join('\n')}\n  };\n}\n`;
}

const operationsOf = (item: Readonly<Record<string, ClientOperation>>): string =>
  methods
    .filter((method) => method in item)
    .map((method) => `    ${method}: { ${operationType(item[method])} };`)
    .join('\n');

function operationType({ parameters = [], requestBody, responses }: ClientOperation): string {
  const placed = (['path', 'query'] as const).map((place) => {
    const fields = parameters.filter((each) => each.in === place);
    if (fields.length === 0) return `${place}?: never`;
    const isNeeded = fields.some(({ required }) => required);
    const types = fields.map(
      ({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
    );
    return `${place}${isNeeded ? '' : '?'}: { ${types.join('; ')} }`;
  });
  const body = requestBody
    ? `requestBody${requestBody.required ? '' : '?'}: { ${contentType(requestBody.content)} }`
    : 'requestBody?: never';
  const answers = Object.entries(responses).map(
    ([status, { content }]) =>
      `${status}: { headers: Record<string, unknown>; ${content ? contentType(content) : 'content?: never'} }`,
  );
  return `parameters: { ${placed.join('; ')} }; ${body}; responses: { ${answers.join('; ')} }`;
}

const contentType = (content: Readonly<Record<string, { schema: TypedSchema }>>): string => {
  const json = content['application/json'];
  return json ? `content: { 'application/json': ${typeOf(json.schema)} }` : 'content?: never';
};

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function typeOf(schema: TypedSchema): string {
  if (schema.$ref !== undefined) return `components['schemas']['${schema.$ref.split('/').at(-1)}']`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => `(${typeOf(each)})`).join(' | ');
  if (typeof schema.type === 'object')
    return schema.type.map((type) => `(${typeOf({ ...schema, type })})`).join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'object' || schema.properties) return objectType(schema);
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return typeof schema.type === 'string' ? schema.type : 'unknown';
}

function objectType({ properties = {}, required = [], additionalProperties }: TypedSchema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  if (fields.length === 0 && additionalProperties === false) return 'Record<string, never>';
  if (typeof additionalProperties === 'object')
    fields.push(`[name: string]: ${fields.length === 0 ? typeOf(additionalProperties) : 'unknown'}`);
  else if (fields.length === 0) return 'Record<string, unknown>';
  return `{ ${fields.join('; ')} }`;
}
