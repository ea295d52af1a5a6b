import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

/**
 * Routes without parameters in their path, found by one lookup. The router tests the patterns of all routes in turn, which
 * takes longer with each route; it serves all other requests.
 */
export class FixedRoutes {
  readonly #handlers = new Map<string, Middleware<RequestState>>();

  add(method: string, path: string, handler: Middleware<RequestState>): void {
    this.#handlers.set(keyOf(method, path), handler);
  }

  readonly dispatch: Middleware<RequestState> = (ctx, next) => {
    const handler = this.#handlers.get(keyOf(ctx.method, ctx.path));
    if (!handler) return next();
    // Metrics and traces read it as the router sets it.
    (ctx as unknown as Pick<RouterContext, '_matchedRoute'>)._matchedRoute = ctx.path;
    return handler(ctx, next) as Promise<void>;
  };
}

const keyOf = (method: string, path: string): string => `${method} ${path}`;
