import type { JsonSchema } from './json-schema.js';
import { answerName, pascal } from './model-names.js';
import { NamedSchemas } from './named-schemas.js';

interface Parts {
  paths: Record<string, Record<string, object>>;
  components: Record<string, object>;
}

interface Content {
  schema: JsonSchema;
}

interface Described {
  operationId: string;
  parameters?: { name: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

type Visit = NamedSchemas['replace'];

/** The document with a name for every model in it: schemas of bodies, parameters and answers refer to its components. */
export function withNamedSchemas<Document extends Parts>(document: Document): Document {
  const named = new NamedSchemas();
  const operations = Object.values(document.paths).flatMap(
    (methods) => Object.values(methods) as Described[],
  );
  for (const operation of operations)
    visit(operation, (schema, place) => {
      named.find(schema, place);
      return schema;
    });
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const replaced = Object.entries(methods).map(([method, operation]) => [
      method,
      visit(operation as Described, (schema, place) => named.replace(schema, place)),
    ]);
    return [path, Object.fromEntries(replaced) as Record<string, object>];
  });
  const schemas = { ...document.components.schemas, ...named.components };
  return {
    ...document,
    paths: Object.fromEntries(paths) as Parts['paths'],
    components: { ...document.components, schemas },
  };
}

/** The operation with its schemas replaced. */
function visit(operation: Described, replace: Visit): Described {
  const id = operation.operationId.replace(/-(get|post|put|patch|delete)$/, '');
  const input = { stem: pascal(id), path: [] };
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    ...(parameters
      ? {
          parameters: parameters.map((each) => ({
            ...each,
            schema: replace(each.schema, { ...input, root: `${id}?`, path: [each.name] }),
          })),
        }
      : {}),
    ...(requestBody
      ? {
          requestBody: {
            ...requestBody,
            content: withSchemas(requestBody.content, (schema) =>
              replace(schema, { ...input, root: `${id}<`, own: `${pascal(id)}Input` }),
            ),
          },
        }
      : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content
          ? { ...response, content: withSchemas(response.content, (schema) => answer(schema, id, replace)) }
          : response,
      ]),
    ),
  };
}

const withSchemas = (content: Record<string, Content>, replace: (schema: JsonSchema) => JsonSchema) =>
  Object.fromEntries(
    Object.entries(content).map(([type, each]) => [type, { ...each, schema: replace(each.schema) }]),
  );

/** In an envelope the payload has the answer's name. */
function answer(schema: JsonSchema, id: string, replace: Visit): JsonSchema {
  const name = answerName(id);
  const place = { root: id, stem: name.replace(/List$/, ''), path: [] };
  const named = { ...place, own: name };
  const hasEnvelope = schema.properties?.result !== undefined && schema.properties.payload !== undefined;
  if (!hasEnvelope) return replace(schema, named);
  return replace(schema, { ...place, own: `${name}Answer`, fields: { payload: named } });
}
