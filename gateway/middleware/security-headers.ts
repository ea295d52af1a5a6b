import type { Middleware } from 'koa';
import type { Settings } from '../../storage/process/settings.js';
import type { RequestState } from '../context.js';

/** What browsers are told about answers that are data: no page, nothing to run, nothing to frame. */
export const dataHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Gives every answer these headers. Pages set a policy of their own. */
export function securityHeaders({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): Middleware<RequestState> {
  const headers = {
    ...dataHeaders,
    // Only an address that is reached by https may ask to be reached by nothing else.
    ...(PUBLIC_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}
