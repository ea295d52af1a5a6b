import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';

/** The pattern of the matched route; undefined before or without a match. */
export function routeOf(ctx: Pick<Context, 'req'>): string | undefined {
  const { _matchedRoute } = ctx as unknown as Pick<RouterContext, '_matchedRoute'>;
  return _matchedRoute === undefined ? undefined : String(_matchedRoute);
}

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method if it is a common one; undefined for the thirty others that Node parses. */
export const knownMethod = (method: string): string | undefined => (known.has(method) ? method : undefined);
