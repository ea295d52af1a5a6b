import { livenessOutput, readinessOutput } from '../operations/readiness.js';
import { serviceHeaders } from './headers.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { notChanged, withExample, sampleAnswer } from './path-item.js';
import { tagOf } from './tags.js';

export const openApiVersion = '3.1.0';

/** A short schema of OpenAPI documents: the full one would be longer than the document. */
const ownSchema: JsonSchema = {
  type: 'object',
  description: 'OpenAPI document',
  required: ['openapi', 'info', 'servers', 'tags', 'paths', 'components'],
  additionalProperties: false,
  properties: {
    openapi: { type: 'string', const: openApiVersion, description: 'version of OpenAPI' },
    info: anything('title and version of the service'),
    servers: anyList('addresses of the service'),
    tags: anyList('groups of operations'),
    paths: anything('operations by path and method'),
    components: anything('schemas, headers and security schemes that operations refer to'),
  },
};

/** The paths about the service itself: without rate limit and envelope. */
export const servicePaths = (): Record<string, { get: object }> => ({
  '/healthz': get('/healthz', 'Whether the process is alive.', { 200: jsonSchemaOf(livenessOutput) }),
  '/readyz': get('/readyz', 'Whether the service is ready for requests.', {
    200: jsonSchemaOf(readinessOutput),
    503: jsonSchemaOf(readinessOutput),
  }),
  '/openapi.json': get('/openapi.json', 'This document.', { 200: ownSchema, 304: null }),
});

function anything(description: string): JsonSchema {
  return { type: 'object', description, additionalProperties: true };
}

function anyList(description: string): JsonSchema {
  return { type: 'array', description, items: { type: 'object' } };
}

const meanings: Record<number, string> = { 200: 'The answer.', 304: notChanged, 503: 'Not ready.' };

/** The entry of one path; `schemas` by status, null for no body. A path with status 304 has an ETag. */
function get(path: string, summary: string, schemas: Record<number, JsonSchema | null>): { get: object } {
  const responses = Object.entries(schemas).map(([status, schema]) => [
    status,
    {
      description: meanings[Number(status)],
      headers: serviceHeaders(Number(status), 304 in schemas),
      ...(schema === null
        ? {}
        : {
            content: {
              'application/json': withExample(
                schema,
                status === '200' ? sampleAnswer('GET', path) : undefined,
              ),
            },
          }),
    },
  ]);
  return {
    get: {
      operationId: path.slice(1).replace(/\W/g, '-'),
      summary,
      tags: [tagOf(path)],
      security: [{}],
      responses: Object.fromEntries(responses) as object,
    },
  };
}
