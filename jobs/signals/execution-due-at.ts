import type { Execution } from '../../compute/signals/execution.js';
import { nextWakeAt } from '../../compute/signals/next-wake-at.js';
import { isOrderOver, type StoredOrder } from '../../storage/signals/stored-execution.js';

/** An order that is stored as sent, without an answer of the exchange, is looked up after this time. */
const recoverMs = 5_000;

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/**
 * What protects or closes a position, and what may have opened one, is asked for about as often as an open circuit is probed while a
 * position stands.
 */
const longestHeldRetryMs = 5_000;
/** At first more often: for most failures of requests that lasts longer than they do, and a position may stand without its stop meanwhile. */
const firstHeldRetryMs = 2_000;
const firstHeldMs = 30_000;

/** When an execution has to be advanced without a price or a command, as far as is known now; null: never. */
export function executionDueAt(state: Execution, orders: readonly StoredOrder[], nowMs: number): Date | null {
  const times = [
    nextWakeAt(state),
    ...orders
      .filter((order) => !isOrderOver(order))
      .map(({ status, cancelWanted, retryAt }) => {
        if (retryAt) return retryAt.getTime();
        return status === 'sent' || cancelWanted ? nowMs + recoverMs : null;
      }),
  ].filter((time) => time !== null);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** When an order is asked for again whose exchange did not answer. */
export function lookUpAgainAt({ attempts, createdAt, reduces, status }: StoredOrder, nowMs: number): Date {
  const isFirst = nowMs - createdAt.getTime() < firstHeldMs;
  const heldMs = isFirst ? firstHeldRetryMs : longestHeldRetryMs;
  const longestMs = reduces || status !== 'planned' ? heldMs : longestRetryMs;
  return new Date(nowMs + Math.min(longestMs, firstRetryMs * 2 ** (attempts - 1)));
}

/** When an exchange that did not answer at a delivery is asked again: each pause is as long as the time since the delivery. */
export const askAgainAt = (since: Date, nowMs: number): number =>
  nowMs + Math.min(longestRetryMs, Math.max(firstRetryMs, nowMs - since.getTime()));
