import { livenessOutput, readinessOutput } from '../operations/readiness.js';
import { headersOf } from './headers.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { tagOf } from './tags.js';

/** What the service tells of itself. None of it takes anything off a rate limit, and all of it is bare. */
export const servicePaths = (): Record<string, { get: object }> => ({
  '/healthz': get('/healthz', 'Whether the process lives.', { 200: jsonSchemaOf(livenessOutput) }),
  '/readyz': get('/readyz', 'Whether the service can do its whole work now.', {
    200: jsonSchemaOf(readinessOutput),
    503: jsonSchemaOf(readinessOutput),
  }),
  '/openapi.json': get('/openapi.json', 'This description.', { 200: { type: 'object' } }),
});

function get(path: string, summary: string, schemas: Record<number, JsonSchema>): { get: object } {
  const responses = Object.entries(schemas).map(([status, schema]) => [
    status,
    {
      description: status === '200' ? 'The answer.' : 'Not now.',
      headers: { 'x-request-id': headersOf(200)['x-request-id'] },
      content: { 'application/json': { schema } },
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
