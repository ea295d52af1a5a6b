import type { AppError } from '../../compute/model/errors.js';
import { bareFailure } from './bare.js';
import { failureEnvelope } from './envelope.js';
import { mcpFailure } from './mcp-failure.js';
import { isOauthPath, oauthFailure } from './oauth-failure.js';
import { partnerFailure } from './partner-failure.js';

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
