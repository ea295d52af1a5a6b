import cors from '@koa/cors';
import type { Middleware } from 'koa';
import type { Settings } from '../../storage/process/settings.js';
import type { RequestState } from '../context.js';

const requestHeaders = [
  'content-type',
  'session-token',
  'x-client-platform',
  'x-request-id',
  'if-none-match',
];
const signedRequestHeaders = ['svc-api-key', 'svc-api-secret', 'x-signature', 'x-timestamp'];

/** Headers of answers that pages may read. */
const exposed = [
  ...[
    'Content-Disposition',
    'ETag',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'Server-Timing',
  ],
  'x-request-id',
];

/** Lets pages of the listed origins call the service. It uses no cookies, so credentials are not allowed. */
export function crossOrigin({ CORS_ORIGINS }: Pick<Settings, 'CORS_ORIGINS'>): Middleware<RequestState> {
  const known = new Set(CORS_ORIGINS);
  return cors({
    origin: (ctx) => (known.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [...requestHeaders, ...signedRequestHeaders],
    exposeHeaders: exposed,
    maxAge: 600,
  });
}
