import { AppError, type ErrorKind } from '../../compute/model/errors.js';
import type { ParameterizedContext } from 'koa';
import { mapStorageError } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import { retryAfter, statusOf, failureEnvelope, type Envelope, bareFailure } from './envelope.js';

/** Where clients of OAuth get their tokens; errors there have the form of RFC 6749, 5.2. */
const oauthPaths: ReadonlySet<string> = new Set([
  '/token',
  '/register',
  '/revoke',
  '/.well-known/oauth-authorization-server',
]);

export const isOauthPath = (path: string): boolean => oauthPaths.has(path);

const codeByKind: Partial<Record<ErrorKind, string>> = {
  denied: 'invalid_client',
  limited: 'temporarily_unavailable',
  busy: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  timeout: 'temporarily_unavailable',
  bug: 'server_error',
};

/** The body of an error. Messages of bugs are not shown. */
export function oauthFailure({ kind, message, details }: AppError): object {
  const code = kind === 'bug' ? undefined : details.oauth;
  return {
    error: code ?? codeByKind[kind] ?? 'invalid_request',
    error_description: kind === 'bug' ? 'unexpected error' : describable(message),
  };
}

/** The characters that RFC 6749 allows in a description. */
const describable = (message: string): string =>
  message
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, '?');

/** The code that JSON-RPC leaves to servers, and those it fixes for bodies that are no request. */
const serverError = -32_000;
const parseError = -32_700;
const invalidRequest = -32_600;

/** The body of an error of the MCP connector that is one of the HTTP request, not of a message in it. */
function mcpFailure(error: AppError, requestId: string): object {
  const { message, ...data } = bareFailure(error, requestId).error;
  return { jsonrpc: '2.0', error: { code: rpcCode(error), message, data }, id: null };
}

function rpcCode({ code, kind }: AppError): number {
  if (code === 'invalid_body') return parseError;
  return kind === 'invalid' ? invalidRequest : serverError;
}

type ErrorForm = (error: AppError, requestId: string) => object;

/** The paths of the partner API begin with these. */
const partnerPrefixes = ['/v1/channel', '/v1/signal', '/v2/signal'];

export const isPartnerPath = (path: string): boolean =>
  partnerPrefixes.some((prefix) => path.startsWith(prefix));

/** The form of error bodies by path: the first matching prefix decides. */
const forms: readonly (readonly [prefix: string, form: ErrorForm])[] = [
  ...partnerPrefixes.map((prefix) => [prefix, partnerFailure] as const),
  ['/v3/', bareFailure],
  ['/mcp', mcpFailure],
  ['/', failureEnvelope],
];

/** The body of an error, in the form of the API that the path belongs to. */
export function errorBody(path: string, error: AppError, requestId: string): object {
  if (isOauthPath(path)) return oauthFailure(error);
  const [, form] = forms.find(([prefix]) => path.startsWith(prefix)) ?? ['', failureEnvelope];
  return form(error, requestId);
}

export interface FailureAnswer {
  status: number;
  /** Null if a retry makes no sense. */
  retryAfterSeconds: number | null;
  /** What a page may say about it; null for a bug. */
  message: string | null;
  /** In the form of the API that the path belongs to. */
  body: object;
}

/** What was caught as an error with a code; `unexpected` for a bug. */
export function asAppError(caught: unknown): AppError {
  const named = mapStorageError(caught);
  return named instanceof AppError ? named : new AppError('unexpected', 'unexpected error', { cause: named });
}

/** The answer to a request that failed with this error. Bugs are logged and not shown. */
export function failureAnswer(
  caught: unknown,
  { path, state }: Pick<ParameterizedContext<RequestState>, 'path' | 'state'>,
  log: Log,
): FailureAnswer {
  const error = asAppError(caught);
  const ids = { traceId: state.requestId, ...traceFields(state.trace) };
  if (error.kind === 'bug') log.error({ ...ids, err: error }, 'request failed');
  return {
    status: statusOf(error),
    retryAfterSeconds: retryAfter(error),
    message: error.kind === 'bug' ? null : error.message,
    body: errorBody(path, error, state.requestId),
  };
}

/**
 * The body of an error of the partner API. A bad request is one of two types: something that is required is missing, or
 * something that is given is wrong.
 */
export function partnerFailure(error: AppError, requestId: string): Envelope {
  const { result, payload } = failureEnvelope(error, requestId);
  if (error.kind !== 'invalid' || error.code === 'method_not_allowed') return { result, payload };
  const type = error.details.missing === true ? 'INVALID_INPUT_MISSING' : 'INVALID_INPUT_CONTENT';
  return { result: { type }, payload };
}
