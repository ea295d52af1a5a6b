import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

const acceptable = /^[\w.-]{1,64}$/;

/** Names the request: the client's x-request-id where it is one, else a new one; answered in the same header. */
export const requestId = (): Middleware<RequestState> => async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = acceptable.test(given) ? given : randomUUID();
  ctx.set('x-request-id', ctx.state.requestId);
  await next();
};
