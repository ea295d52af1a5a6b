import cors from '@koa/cors';
import type { Middleware } from 'koa';
import type { Settings } from '../../storage/process/settings.js';
import type { RequestState } from '../context.js';

const asked = ['content-type', 'session-token', 'x-client-platform', 'x-request-id', 'if-none-match'];
const ofPartners = ['svc-api-key', 'svc-api-secret', 'x-signature', 'x-timestamp'];

/** What pages may read besides the body. */
const exposed = [
  ...['ETag', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'Server-Timing'],
  'x-request-id',
];

/** Lets pages of the listed origins read answers. No cookie proves anything here, so none is asked for. */
export function crossOrigin({ CORS_ORIGINS }: Pick<Settings, 'CORS_ORIGINS'>): Middleware<RequestState> {
  const known = new Set(CORS_ORIGINS);
  return cors({
    origin: (ctx) => (known.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowHeaders: [...asked, ...ofPartners],
    exposeHeaders: exposed,
    maxAge: 600,
  });
}
