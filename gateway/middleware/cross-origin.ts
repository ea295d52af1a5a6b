import cors from '@koa/cors';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Settings } from '../../storage/process/settings.js';
import { isOauthPath } from '../answers/failure-answer.js';
import type { RequestState } from '../context.js';
import { isLoopbackOrigin } from '../mcp/access/known-host.js';

const requestHeaders = [
  'content-type',
  'session-token',
  'x-client-platform',
  'x-request-id',
  'if-none-match',
];
const signedRequestHeaders = ['svc-api-key', 'svc-api-secret', 'x-signature', 'x-timestamp'];
const connectorHeaders = [
  'accept',
  'authorization',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

/** Headers of answers that pages may read. */
const exposed = [
  'Content-Disposition',
  'ETag',
  'Mcp-Session-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'x-request-id',
];

const protectedResource = '/.well-known/oauth-protected-resource';

/**
 * Lets pages of other origins call the service, without cookies: credentials are not allowed. Pages of the listed origins may
 * call everything, pages of this machine the connector, and any page the endpoints that OAuth clients call before they have a
 * token.
 */
export function crossOrigin({ CORS_ORIGINS }: Pick<Settings, 'CORS_ORIGINS'>): Middleware<RequestState> {
  const listed = new Set(CORS_ORIGINS);
  const mayCall = ({ path }: ParameterizedContext, origin: string) =>
    listed.has(origin) || (path === '/mcp' ? isLoopbackOrigin(origin) : isForAnyPage(path));
  const answer = cors({
    origin: (ctx) => (mayCall(ctx, ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [...requestHeaders, ...signedRequestHeaders, ...connectorHeaders],
    exposeHeaders: exposed,
    maxAge: 600,
  });
  return (ctx, next) => {
    const isAsked = listed.size > 0 || ctx.path === '/mcp' || isForAnyPage(ctx.path);
    return (isAsked ? answer(ctx, next) : next()) as Promise<void>;
  };
}

const isForAnyPage = (path: string): boolean => isOauthPath(path) || path.startsWith(protectedResource);
