import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';

/** The pattern of the route that took the request, once one has; else undefined. */
export function routeOf(ctx: Pick<Context, 'req'>): string | undefined {
  const { _matchedRoute } = ctx as unknown as Pick<RouterContext, '_matchedRoute'>;
  return _matchedRoute === undefined ? undefined : String(_matchedRoute);
}

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A method that goes by its name: clients may send thirty more, which are `undefined`. */
export const knownMethod = (method: string): string | undefined => (known.has(method) ? method : undefined);
