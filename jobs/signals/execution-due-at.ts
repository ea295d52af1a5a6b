import type { Execution } from '../../compute/signals/execution.js';
import { nextWakeAt } from '../../compute/signals/watched-prices.js';
import { isOrderEnded, type StoredOrder } from '../../storage/signals/stored-execution.js';

/** An order of which a worker has written that it is sent, but not what became of it, is looked up after this long. */
const recoverMs = 5_000;

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

/** When an execution has to be advanced without a price or a command, as far as is known now; null: never. */
export function executionDueAt(state: Execution, orders: readonly StoredOrder[], nowMs: number): Date | null {
  const times = [
    nextWakeAt(state),
    ...orders
      .filter((order) => !isOrderEnded(order))
      .map(({ status, cancelWanted, retryAt }) => {
        if (retryAt) return retryAt.getTime();
        return status === 'sent' || cancelWanted ? nowMs + recoverMs : null;
      }),
  ].filter((time) => time !== null);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

/** When an exchange that did not say what became of an order is asked again. */
export const lookUpAgainAt = (attempts: number, nowMs: number): Date =>
  new Date(nowMs + Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1)));

/** When an exchange that could not be asked at a delivery is asked again: each time after as long as it was away until then. */
export const askAgainAt = (since: Date, nowMs: number): number =>
  nowMs + Math.min(longestRetryMs, Math.max(firstRetryMs, nowMs - since.getTime()));
