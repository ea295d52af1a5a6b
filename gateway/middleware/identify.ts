import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { clientAddress } from '../client-address.js';
import type { RequestState } from '../context.js';

const acceptable = /^[\w.-]{1,64}$/;

/**
 * Names the request, by the client's x-request-id where it is one, else anew, answered in the same header; and tells where
 * it comes from.
 */
export const identify =
  (trustedHops: number): Middleware<RequestState> =>
  async (ctx, next) => {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = acceptable.test(given) ? given : randomUUID();
    ctx.state.address = clientAddress(ctx.req, trustedHops);
    ctx.set('x-request-id', ctx.state.requestId);
    await next();
  };
