import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

/**
 * Closes the connection after an answer that is given before the whole request has arrived: the rest of the body would have
 * to be read before the next request.
 */
export const closeUnread = (): Middleware<RequestState> => async (ctx, next) => {
  await next();
  if (ctx.req.complete) return;
  // A body in the same packet as the headers is parsed within this turn of the event loop.
  await nextTurn();
  if (!ctx.req.complete) ctx.set('Connection', 'close');
};
