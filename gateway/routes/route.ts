import type { Middleware, ParameterizedContext } from 'koa';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { mount } from './mount.js';
import { mountSigned } from './mount-signed.js';

/** How a route is asked and answers: with a session token in the envelope, or signed and bare. */
export type Surface = 'envelope' | 'signed';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What is known of an operation without calling it. */
export type OperationFacts = Pick<
  Operation<unknown, unknown>,
  'id' | 'summary' | 'scope' | 'cost' | 'hasEtag' | 'input' | 'output' | 'errors' | 'leadsTo'
>;

/** Where an operation is asked, and in which surface. */
export interface Route {
  method: Method;
  /** As @koa/router takes it: a part of the path that begins with a colon is a parameter. */
  path: string;
  surface: Surface;
  operation: OperationFacts;
  handler: (deps: Deps) => Middleware<RequestState>;
}

/** A route that answers in the envelope. `besides` reads what of the input stands neither in the body nor in the query. */
export const envelopeRoute = <Input, Output>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  besides?: (ctx: ParameterizedContext<RequestState>) => Record<string, unknown>,
): Route => ({
  method,
  path,
  surface: 'envelope',
  operation,
  handler: (deps) => mount(operation, deps, besides),
});

/** The routes of a signed operation that answers bare: the same with GET and POST. */
export const signedRoutes = <Input, Output extends object>(
  path: string,
  operation: Operation<Input, Output>,
): Route[] => {
  const handler: Route['handler'] = (deps) => mountSigned(operation, deps);
  return (['GET', 'POST'] as const).map((method) => ({
    method,
    path,
    surface: 'signed',
    operation,
    handler,
  }));
};
