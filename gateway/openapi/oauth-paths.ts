import Joi from 'joi';
import { AppError, type ErrorCode } from '../../compute/model/errors.js';
import { oauthFailure } from '../answers/failure-answer.js';
import { authorizationQuery } from '../auth/oauth/authorize/check-request.js';
import { metadataSchema } from '../auth/oauth/metadata.js';
import { registrationAnswerSchema } from '../auth/oauth/register/registration-answer.js';
import { registrationRequest } from '../auth/oauth/register/registration.js';
import { revokeRequest } from '../auth/oauth/revoke-endpoint.js';
import { tokenAnswerSchema } from '../auth/oauth/token/token-endpoint.js';
import { tokenRequest } from '../auth/oauth/token/refresh-tokens.js';
import { oauthHeaders, serviceHeaders } from './headers.js';
import { exampleOf, jsonSchemaOf, type JsonSchema } from './json-schema.js';
import { tagOf } from './tags.js';

interface OauthFailure {
  error: string;
  error_description: string;
}

/** The body of every error of these endpoints (RFC 6749, 5.2). */
export const oauthFailureSchema = Joi.object<OauthFailure, true>({
  error: Joi.string()
    .required()
    .description(
      'code of the error, such as invalid_request, invalid_grant, invalid_scope, invalid_target, unsupported_grant_type, invalid_redirect_uri, invalid_client_metadata, temporarily_unavailable or server_error',
    ),
  error_description: Joi.string().allow('').required().description('what was expected and what was found'),
}).description('An error of OAuth.');

const failures: readonly [status: number, code: ErrorCode, meaning: string, example: string][] = [
  [400, 'invalid_input', 'The request is refused; `error` says why.', '"client_id" is missing'],
  [413, 'body_too_large', 'The body is larger than 64 KiB.', 'the body is larger than 64 KiB'],
  [415, 'unsupported_media_type', 'The body has another type.', 'the body must be JSON or a form'],
  [429, 'rate_limited', 'Too many requests; Retry-After says when to retry.', 'too many requests'],
  [500, 'unexpected', 'An internal error; the request id finds it in the log.', ''],
  [503, 'mongodb_unavailable', 'Not available; Retry-After says when to retry.', 'MongoDB does not answer'],
];

/** The endpoints by which AI clients get and end access. */
export const oauthPaths = (): Record<string, Record<string, object>> => ({
  '/.well-known/oauth-authorization-server': {
    get: {
      ...named('/.well-known/oauth-authorization-server', 'authorization-metadata-get'),
      summary: 'Where clients find the endpoints of OAuth, and what these take (RFC 8414).',
      responses: {
        200: { description: 'The answer.', headers: serviceHeaders(200, false), ...jsonOf(metadataSchema) },
      },
    },
  },
  '/authorize': {
    get: {
      ...named('/authorize', 'authorize-get'),
      summary: 'Opens the page on which a user signs in and allows or denies what a client asks for.',
      description:
        'For browsers. The page sends the browser back to redirect_uri with `code`, or with `error` and `error_description`, and with `state` and `iss`.',
      parameters: queryOf(jsonSchemaOf(authorizationQuery)),
      responses: {
        200: { description: 'The page.', headers: oauthHeaders(200), ...page },
        303: {
          description:
            'The client is told that its request is not valid: `error` in the query of redirect_uri.',
          headers: { ...oauthHeaders(303), Location: location },
        },
        ...Object.fromEntries(
          failures
            .filter(([status]) => status !== 413 && status !== 415)
            .map(([status, , meaning]) => [
              status,
              { description: meaning, headers: oauthHeaders(status), ...page },
            ]),
        ),
      },
    },
  },
  '/register': {
    post: {
      ...named('/register', 'register-client-post'),
      summary: 'Gives a client an id for its name and redirect URIs (RFC 7591).',
      description:
        'It is optional for apps on the computer of the user. A network may register 20 clients an hour.',
      ...bodyOf(registrationRequest, ['application/json']),
      responses: { 201: answered(registrationAnswerSchema, 201), ...failed() },
    },
  },
  '/revoke': {
    post: {
      ...named('/revoke', 'revoke-access-post'),
      summary: 'Ends an access token, or a refresh token with all tokens of its grant (RFC 7009).',
      description:
        'An unknown token is answered in the same way. A network may send 20 such requests a minute.',
      ...bodyOf(revokeRequest),
      responses: { 200: answered(Joi.object({}), 200), ...failed() },
    },
  },
  '/token': {
    post: {
      ...named('/token', 'exchange-tokens-post'),
      summary:
        'Exchanges a code or a refresh token for an access token and the next refresh token (RFC 6749).',
      description: 'A network may send 20 failed requests a minute.',
      ...bodyOf(tokenRequest),
      responses: { 200: answered(tokenAnswerSchema, 200), ...failed() },
    },
  },
});

const named = (path: string, operationId: string) => ({ operationId, tags: [tagOf(path)], security: [{}] });

const location = { description: 'where the browser is sent', schema: { type: 'string' } };

const page = {
  content: { 'text/html': { schema: { type: 'string', description: 'a page for people' } } },
};

/** The schema without further fields: the endpoints ignore those. */
const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, additionalProperties: false });

const jsonOf = (schema: Joi.Schema) => ({
  content: {
    'application/json': { schema: jsonSchemaOf(schema), example: exampleOf(jsonSchemaOf(schema)) },
  },
});

function bodyOf(
  schema: Joi.Schema,
  types: readonly string[] = ['application/x-www-form-urlencoded', 'application/json'],
) {
  const described = closed(jsonSchemaOf(schema));
  const content = { schema: described, example: exampleOf(described) };
  return {
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, content])) },
  };
}

const answered = (schema: Joi.Schema, status: number) => ({
  description: 'The answer.',
  headers: oauthHeaders(status),
  ...jsonOf(schema),
});

const failed = (): Record<string, object> =>
  Object.fromEntries(
    failures.map(([status, code, meaning, example]) => [
      status,
      {
        description: meaning,
        headers: oauthHeaders(status),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/OauthFailure' },
            example: oauthFailure(new AppError(code, example)),
          },
        },
      },
    ]),
  );

const queryOf = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }));
