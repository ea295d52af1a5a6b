import type { ParameterizedContext } from 'koa';
import type { Deps, RequestState } from '../context.js';

/** The place of one request among those in hand. */
export interface InHandSlot {
  /** Runs work while it counts as a running request. Throws `gateway_busy` if too many run, and what the work throws. */
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives the place up before the work is done: from here on the request only waits for a job. */
  leave: () => void;
}

/** A place among the requests in hand for the network of the client; taken when its work begins. */
export function inHandSlot(
  ctx: ParameterizedContext<RequestState>,
  { inHand, scheduler }: Pick<Deps, 'inHand' | 'scheduler'>,
): InHandSlot {
  let end: () => void = () => undefined;
  return {
    async hold(work) {
      const { network } = ctx.state;
      // Bodies of requests and answers of MongoDB arrive at any time, not in the turn of their network.
      await scheduler.turnOf(network);
      end = inHand.begin(network);
      try {
        const result = await work();
        await scheduler.turnOf(network);
        return result;
      } finally {
        end();
      }
    },
    leave: () => end(),
  };
}
