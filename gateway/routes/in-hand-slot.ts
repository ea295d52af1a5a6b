import type { ParameterizedContext } from 'koa';
import { networkOf } from '../../storage/users/client-network.js';
import type { Deps, RequestState } from '../context.js';

/** The place of one request among those in hand. */
export interface InHandSlot {
  /** Runs work with the place taken. Throws `gateway_busy` if there is none, and what the work throws. */
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives the place up before the work is done: what remains is waiting for others. */
  leave: () => void;
}

/** A place among the requests in hand for the network of the client; taken when its work begins. */
export function inHandSlot(
  ctx: ParameterizedContext<RequestState>,
  { inHand }: Pick<Deps, 'inHand'>,
): InHandSlot {
  let end: () => void = () => undefined;
  return {
    async hold(work) {
      end = inHand.begin(networkOf(ctx.state.address));
      try {
        return await work();
      } finally {
        end();
      }
    },
    leave: () => end(),
  };
}
