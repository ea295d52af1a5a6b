import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { senderOf } from './client-address.js';
import type { Deps, RequestState } from '../context.js';

/** Logged once: all users behind a proxy that no setting names share its limits. */
const forwardedInVain =
  'X-Forwarded-For came and has no effect, because TRUSTED_HOPS is 0: behind a proxy, set it to the number of proxies';

const acceptable = /^[\w.-]{1,64}$/;

/**
 * Sets the request id (the client's x-request-id if it is valid, else a new one), which is answered in the same header, and
 * the client's address and network. A gateway that shuts down asks the client to use another connection.
 */
export const identify = ({
  settings,
  ending,
  log,
}: Pick<Deps, 'settings' | 'ending' | 'log'>): Middleware<RequestState> => {
  let isTold = settings.TRUSTED_HOPS > 0;
  return (ctx, next) => {
    if (ending.aborted) ctx.set('Connection', 'close');
    const given = ctx.get('x-request-id');
    ctx.state.requestId = acceptable.test(given) ? given : randomUUID();
    const { address, network } = senderOf(ctx.req, settings.TRUSTED_HOPS);
    ctx.state.address = address;
    ctx.state.network = network;
    ctx.set('x-request-id', ctx.state.requestId);
    if (!isTold && ctx.get('x-forwarded-for') !== '') {
      isTold = true;
      log.warn({ address }, forwardedInVain);
    }
    return next();
  };
};
