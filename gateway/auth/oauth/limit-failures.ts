import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { readHostedClients } from '../../../storage/users/hosted-clients.js';
import type { Deps, RequestState } from '../../context.js';
import { chargeAddress, chargeShared, chargeUnpriced } from '../../routes/charge.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Does the work of a request within the limit of failed requests of its network. The work answers whether it has found what was
 * asked for: else it counts as failed, whatever the client is told. Throws `rate_limited`, and what the work throws.
 */
export type LimitFailures = (ctx: Context, work: () => Promise<boolean>) => Promise<void>;

/**
 * Limits how many requests of a network fail per minute, so that codes and tokens can't be guessed. A request is charged before
 * its body is read and gets the point back if it succeeds, or fails by no fault of its client. Hosted assistants, which ask
 * for many users from few addresses, share the points that they have at the connector. Those that succeed count as requests
 * without points: a client could otherwise refresh its tokens without end.
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
