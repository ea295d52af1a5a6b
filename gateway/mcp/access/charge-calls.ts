import type { ParameterizedContext } from 'koa';
import type { Deps, RequestState } from '../../context.js';
import { connectorKeysOf } from '../../limits/rate-keys.js';
import { chargeAddress, chargeCaller, chargeShared, chargeUnpriced, countUse } from '../../routes/charge.js';
import type { McpMessages } from '../messages.js';
import { tableCost } from '../resources/backtest-tables.js';
import type { FoundAccess } from './read-access.js';
import { AppError } from '../../../compute/model/errors.js';
import { failedAnswer } from '../answers/failed-answer.js';
import type { McpAccess } from '../exchange.js';

/** Finds the shared bucket of a hosted assistant by the address it calls from. */
export type HostedClient = (address: string) => string | null;

/**
 * Charges a guest one point before the body is read, because reading it is work, too. A user is charged one request without
 * points, which `chargeCalls` refunds if the request costs points. Throws `rate_limited`.
 */
export async function chargeAhead(
  ctx: ParameterizedContext<RequestState>,
  deps: Deps,
  access: FoundAccess,
  hostedClient: HostedClient,
): Promise<FoundAccess> {
  if (access.user) {
    await chargeUnpriced(deps.limits, connectorKeysOf(access.user, ctx.state.network)).paid;
    return access;
  }
  if (hostedClient(ctx.state.address) !== null) return access;
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
  access: FoundAccess,
  hostedClient: HostedClient,
): Promise<void> {
  const { user } = access;
  const guestLeast = user ? 0 : 1;
  const calls = called.reduce((sum, { operation }) => sum + Math.max(operation.cost, guestLeast), 0);
  const cost = calls + tables * tableCost;
  if (user && cost === 0) return countUse(ctx, deps.usage, user, cost);
  if (user) for (const key of connectorKeysOf(user, ctx.state.network)) deps.limits.refund(key, 1);
  await chargePoints(ctx, deps, cost, access, hostedClient);
}

/** Charges points to the user, to the hosted assistant, or to the address of a guest. Throws `rate_limited`. */
export async function chargePoints(
  ctx: ParameterizedContext<RequestState>,
  deps: Deps,
  cost: number,
  { user, paid }: FoundAccess,
  hostedClient: HostedClient,
): Promise<void> {
  const hosted = user ? null : hostedClient(ctx.state.address);
  if (hosted !== null) return chargeShared(ctx, deps, 'hosted', hosted, Math.max(1, cost));
  await chargeCaller(ctx, deps, user, cost, paid).paid;
}

type Context = ParameterizedContext<RequestState>;

/** Longer bodies are not read for a guest without points. */
const mostFreeBytes = 64 * 1024;

const isLimit = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'rate_limited';

/** The error for a guest without points whose body is short enough to look whether it asks for lists only. Throws every other error. */
export function keptLimit(ctx: Context, { user }: McpAccess, error: unknown): AppError {
  const length = Number(ctx.get('Content-Length') || Infinity);
  if (!isLimit(error) || user || ctx.method !== 'POST' || length > mostFreeBytes) throw error;
  return error;
}

/**
 * Answers a call for which there are too few points: a failed call with the id of its request and the seconds to wait, because
 * many clients take a status of 429 for a broken connection. False for errors and requests of another kind.
 */
export function answerLimit(ctx: Context, error: unknown, messages: McpMessages | null): boolean {
  const [tool] = messages?.called ?? [];
  const { id } = (messages?.body ?? {}) as { id?: unknown };
  if (!isLimit(error) || !tool || !(typeof id === 'string' || typeof id === 'number')) return false;
  ctx.set('Retry-After', String(error.details.retryAfterSeconds));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { jsonrpc: '2.0', id, result: failedAnswer(error, tool.listing.name) };
  return true;
}
