import { desiredOrders } from './desired-orders.js';
import { awaitsEntry, isEnded, type Execution } from './execution.js';
import { stopMovesAt } from './held-back-stop.js';
import { mayPlace } from './match-orders.js';

/** When (ms since 1970) a `time` event changes the execution next; null if only other events change it. */
export function nextWakeAt(execution: Execution): number | null {
  if (isEnded(execution)) return null;
  const times = [
    awaitsEntry(execution) ? execution.entriesEndAt : null,
    execution.status === 'closing' ? stopOrderEndsAt(execution) : stopMovesAt(execution),
    execution.status === 'closing' && execution.close?.limit ? (execution.close.limitUntil ?? null) : null,
    ...Object.keys(execution.refusals).map((leg) => placedAgainAt(execution, leg)),
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** When the stop order that is left to sell the position is cancelled; null if none is left to do so. */
const stopOrderEndsAt = ({ close, orders }: Execution): number | null =>
  orders.some(({ leg, state }) => leg === 'stop' && state === 'placed')
    ? (close?.leaveToStopUntil ?? null)
    : null;

/** When the order of a leg that was refused is placed again; null if it stands, is not wanted, or waits for other orders. */
function placedAgainAt(execution: Execution, leg: string): number | null {
  const { retryAt } = execution.refusals[leg];
  const wanted = desiredOrders(execution, retryAt).find((terms) => terms.leg === leg);
  return wanted && mayPlace(execution, wanted, retryAt) ? retryAt : null;
}
