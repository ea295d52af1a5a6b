import type { RouterContext } from '@koa/router';
import type { Middleware, Next, ParameterizedContext } from 'koa';
import type { RequestState } from '../context.js';

/**
 * Routes without parameters in their path, found by one lookup. The router tests the patterns of all routes in turn, which
 * takes longer with each route; it serves all other requests.
 */
export class FixedRoutes {
  readonly #handlers = new Map<string, Middleware<RequestState>>();
  readonly #methods = new Map<string, string[]>();

  add(method: string, path: string, handler: Middleware<RequestState>): void {
    this.#handlers.set(keyOf(method, path), handler);
    this.#methods.set(path, [...(this.#methods.get(path) ?? []), method]);
  }

  readonly dispatch: Middleware<RequestState> = (ctx, next) => {
    const handler = this.#handlers.get(keyOf(ctx.method, ctx.path));
    if (!handler) return this.#refuse(ctx, next);
    // Metrics and traces read it as the router sets it.
    (ctx as unknown as Pick<RouterContext, '_matchedRoute'>)._matchedRoute = ctx.path;
    return handler(ctx, next) as Promise<void>;
  };

  /**
   * A fixed path goes before a pattern that also matches it: in /v1/signal/validate the last part is not the id of a signal. So
   * other methods are refused here.
   */
  #refuse(ctx: ParameterizedContext<RequestState>, next: Next): Promise<void> | void {
    const methods = this.#methods.get(ctx.path);
    if (!methods || (ctx.method === 'HEAD' && methods.includes('GET'))) return next();
    ctx.set('Allow', (methods.includes('GET') ? ['HEAD', ...methods] : methods).join(', '));
    ctx.status = ctx.method === 'OPTIONS' ? 200 : 405;
    if (ctx.method === 'OPTIONS') ctx.body = '';
  }
}

const keyOf = (method: string, path: string): string => `${method} ${path}`;
