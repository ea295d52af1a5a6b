import type { ParameterizedContext } from 'koa';
import type { Deps, RequestState } from '../../context.js';
import { chargeAddress, chargeCaller, chargeShared } from '../../routes/charge.js';
import type { McpMessages } from '../messages.js';
import { tableCost } from '../resources/backtest-tables.js';
import type { FoundAccess } from './read-access.js';

/** Finds the shared bucket of a hosted assistant by the address it calls from. */
export type HostedClient = (address: string) => string | null;

/**
 * Charges a guest the one point that any request costs, before its body is read: reading it is work, too. Throws
 * `rate_limited`.
 */
export async function chargeAhead(
  ctx: ParameterizedContext<RequestState>,
  deps: Deps,
  access: FoundAccess,
  hostedClient: HostedClient,
): Promise<FoundAccess> {
  if (access.user || hostedClient(ctx.state.address) !== null) return access;
  await chargeAddress(ctx, deps, 'guest', 1).paid;
  return { ...access, paid: 1 };
}

/**
 * Charges the points of the called tools and read tables to the user, to the hosted assistant that calls for many, or to the
 * address of the client: the same budget as that of REST. A request without either costs a guest one point and a user none.
 */
export async function chargeCalls(
  ctx: ParameterizedContext<RequestState>,
  deps: Deps,
  { called, tables }: Pick<McpMessages, 'called' | 'tables'>,
  { user, paid }: FoundAccess,
  hostedClient: HostedClient,
): Promise<void> {
  const calls = called.reduce((sum, { operation }) => sum + Math.max(operation.cost, user ? 0 : 1), 0);
  const cost = calls + tables * tableCost;
  const hosted = user ? null : hostedClient(ctx.state.address);
  if (hosted !== null) return chargeShared(ctx, deps, 'hosted', hosted, Math.max(1, cost));
  await chargeCaller(ctx, deps, user, cost, paid).paid;
}
