import type { Middleware } from 'koa';
import type { Settings } from '../../storage/process/settings.js';
import type { RequestState } from '../context.js';

/** Headers for answers that are data, not pages: browsers must not render, run or frame them. */
export const dataHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Sets these headers on every answer. Pages replace the Content-Security-Policy. */
export function securityHeaders({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): Middleware<RequestState> {
  const headers = Object.entries({
    ...dataHeaders,
    // Only for a public https address: browsers then use nothing but https.
    ...(PUBLIC_URL.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  });
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
