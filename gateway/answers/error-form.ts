import type { AppError } from '../../compute/model/errors.js';
import { bareFailure } from './bare.js';
import { failureEnvelope } from './envelope.js';
import { isOauthPath, oauthFailure } from './oauth-failure.js';
import { partnerFailure } from './partner-failure.js';

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
