import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { readHostedClients } from '../../../storage/users/hosted-clients.js';
import type { Deps, RequestState } from '../../context.js';
import { chargeAddress, chargeShared, chargeUnpriced } from '../../routes/charge.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Does the work of a request within the limit of failed requests of its network. `work` resolves with false if it has found
 * nothing: then the request counts as failed, even if the answer is a success. Throws `rate_limited`, and what `work` throws.
 */
export type LimitFailures = (ctx: Context, work: () => Promise<boolean>) => Promise<void>;

/**
 * Limits how many requests of a network fail per minute, so that codes and tokens can't be guessed. A request is charged before
 * its body is read and gets the point back if it succeeds, or if its failure is not the client's fault. Every request also counts
 * among those without points, because a client could otherwise refresh its tokens without end. Hosted assistants, which serve
 * many users from few addresses, are charged to the points that they have at the connector instead.
 */
export function limitFailures(deps: Pick<Deps, 'settings' | 'limits'>): LimitFailures {
  const hostedClient = readHostedClients(deps.settings.MCP_HOSTED_CLIENTS);
  return async (ctx, work) => {
    const hosted = hostedClient(ctx.state.address);
    if (hosted !== null) {
      await chargeShared(ctx, deps, 'hosted', hosted, 1);
      await work();
      return;
    }
    const { network: key } = ctx.state;
    await chargeUnpriced(deps.limits, [{ bucket: 'unpriced', key }]).paid;
    await chargeAddress(ctx, deps, 'oauth', 1).paid;
    const refund = () => deps.limits.refund({ bucket: 'oauth', key }, 1);
    try {
      if (await work()) refund();
    } catch (error) {
      if (!(error instanceof AppError) || !['invalid', 'denied'].includes(error.kind)) refund();
      throw error;
    }
  };
}
