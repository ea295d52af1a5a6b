import type { Middleware } from 'koa';
import type { RequestState } from '../../context.js';

/** Keeps tokens out of every cache (RFC 6749, 5.1). */
export const withoutCache: Middleware<RequestState> = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
  return next();
};
