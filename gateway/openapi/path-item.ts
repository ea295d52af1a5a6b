import { readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';
import { successEnvelope } from '../answers/envelope.js';
import type { Surface, Route } from '../routes/route.js';
import { carriesBody } from '../routes/json-body.js';
import { documentPath, parametersOf, operationId } from './document-path.js';
import { failureResponse, failuresOf } from './failures.js';
import { headersOf } from './headers.js';
import { liveContent, eventContent } from './event-content.js';
import { exampleOf, jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { securityOf } from './security.js';
import { tagOf } from './tags.js';
import { routeTable } from '../routes/table.js';

const file = asset('gateway/openapi/sample-answers.json');

let samples: Readonly<Record<string, unknown>> | undefined;

/**
 * An answer of a real run to this method and path of the document, with long lists cut short; undefined for a new operation.
 * `npm run samples` records them.
 */
export function sampleAnswer(method: string, path: string): unknown {
  samples ??= JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  return samples[`${method} ${path}`];
}

/** A route's entry in the document, under its path and method. */
export function pathItem(route: Route, hasLinks: boolean): object {
  const { path, operation } = route;
  const input = jsonSchemaOf(operation.input);
  const inPath = parametersOf(path);
  const asBody = carriesBody(route.method, route.surface);
  // Partners repeat the id of a signal in the body.
  const rest = without(input, asBody && route.surface === 'partner' ? [] : inPath);
  return {
    operationId: operationId(route),
    summary: operation.summary,
    description: descriptionOf(route),
    tags: [tagOf(path)],
    security: securityOf(route),
    parameters: [
      ...inPath.map((name) => parameter('path', name, input)),
      ...(asBody ? [] : Object.keys(rest.properties ?? {}).map((name) => parameter('query', name, input))),
    ],
    ...(asBody ? { requestBody: requestBody(rest) } : {}),
    responses: responsesOf(route, hasLinks),
  };
}

function descriptionOf({ method, surface, operation: { scope, tokenScope, cost } }: Route): string {
  const who = {
    public: 'Anybody may ask',
    user: tokenScope === undefined ? 'Needs a session' : `Needs a session, or a token with ${tokenScope}`,
    operator: 'Needs the session of an operator',
    partner: 'Needs a key of a partner',
  };
  if (surface === 'partner') return `${who.partner}; counts as one request of the key.`;
  if (surface === 'signed') {
    const where = method === 'POST' ? ' The parameters may stand in the query instead.' : '';
    return `Needs a signed request; counts as one request of the address.${where}`;
  }
  return `${who[scope]}; costs ${cost} ${cost === 1 ? 'point' : 'points'} of the rate limit.`;
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  const required = (schema.required ?? []).filter((name) => !names.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function parameter(place: 'path' | 'query', name: string, { properties = {}, required = [] }: JsonSchema) {
  const { description, ...schema } = properties[name] ?? { type: 'string' };
  return {
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  };
}

const requestBody = (schema: JsonSchema): object => ({
  required: (schema.required ?? []).length > 0,
  content: { 'application/json': { schema, example: exampleOf(schema) } },
});

function responsesOf(route: Route, hasLinks: boolean): object {
  const { surface, operation } = route;
  const payload = jsonSchemaOf(operation.output);
  const links = hasLinks ? linksOf(route) : {};
  const ok = {
    description: 'The answer.',
    headers: headersOf(200, operation.hasEtag),
    content: route.isStream
      ? liveContent
      : route.isCsv
        ? csvContent
        : {
            'application/json': withExample(
              answerForms[surface](payload),
              sampleAnswer(route.method, documentPath(route.path)),
            ),
            ...(operation.isLong ? eventContent : {}),
          },
    ...(Object.keys(links).length > 0 ? { links } : {}),
  };
  const failures = [...failuresOf(route)].map(([status, codes]) => [
    status,
    { ...failureResponse(surface, codes), headers: headersOf(status) },
  ]);
  const unchanged =
    route.method === 'GET' && operation.hasEtag
      ? { 304: { description: notChanged, headers: headersOf(304, true) } }
      : {};
  return { 200: ok, ...unchanged, ...(Object.fromEntries(failures) as object) };
}

const csvContent = {
  'text/csv': {
    schema: {
      type: 'string',
      description: 'a header line and one line for each row (RFC 4180); times are ISO 8601',
    },
  },
};

/** A media type: its schema, and an example where there is one. */
export const withExample = (schema: JsonSchema, example: unknown): object => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

export const notChanged = 'Not changed since the ETag of If-None-Match.';

const inEnvelope = (payload: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['result', 'payload'],
  additionalProperties: false,
  properties: {
    result: {
      type: 'object',
      description: 'outcome of the request',
      required: ['type'],
      additionalProperties: false,
      properties: {
        type: {
          type: 'string',
          const: successEnvelope(null).result.type,
          description: 'the request succeeded',
        },
        ttl: {
          type: 'integer',
          minimum: 0,
          description: 'seconds for which the answer stays true, until the next candle closes',
        },
      },
    },
    payload: { ...payload, description: 'the answer' },
  },
});

/** What each surface wraps a payload in. */
const answerForms: Record<Surface, (payload: JsonSchema) => JsonSchema> = {
  envelope: inEnvelope,
  partner: inEnvelope,
  signed: (payload) => payload,
};

/**
 * The OpenAPI links of a route: the routes, on the same surface, of the operations that can be called next, with runtime
 * expressions for the input that is known from this route.
 */
function linksOf(route: Route): Record<string, object> {
  const links = (route.operation.leadsTo ?? []).flatMap(({ to, fields }) =>
    routeTable
      .filter(({ operation, surface }) => operation.id === to && surface === route.surface)
      .map((next) => [operationId(next), linkTo(next, fields, route)] as const),
  );
  return Object.fromEntries(links);
}

function linkTo(next: Route, fields: Readonly<Record<string, string>>, from: Route): object {
  const known = Object.entries(fields).map(([name, found]) => [name, expression(found, from)] as const);
  const isInPath = ([name]: readonly [string, string]) => next.path.split('/').includes(`:${name}`);
  const asBody = carriesBody(next.method);
  const parameters = known.filter((field) => !asBody || isInPath(field));
  const body = known.filter((field) => asBody && !isInPath(field));
  return {
    operationId: operationId(next),
    ...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
    ...(body.length > 0 ? { requestBody: Object.fromEntries(body) } : {}),
  };
}

/** `payload/a/0` or `input/a` as an OpenAPI runtime expression. */
function expression(found: string, from: Route): string {
  const [, part, pointer] = /^(payload|input)\/(.+)$/.exec(found)!;
  if (part === 'payload') return `$response.body#/${from.surface === 'signed' ? '' : 'payload/'}${pointer}`;
  return carriesBody(from.method) ? `$request.body#/${pointer}` : `$request.query.${pointer}`;
}
