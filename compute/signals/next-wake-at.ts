import { targetTurnsAt } from './arm-targets.js';
import { desiredOrders, sellsUntil } from './desired-orders.js';
import { awaitsEntry, isEnded, type Execution } from './execution.js';
import { stopMovesAt } from './held-back-stop.js';
import { mayPlace } from './match-orders.js';
import { sellingPair } from './target-quantity.js';

/** When (ms since 1970) a `time` event changes the execution next; null if only other events change it. */
export function nextWakeAt(execution: Execution): number | null {
  if (isEnded(execution)) return null;
  const times = [
    awaitsEntry(execution) ? execution.entriesEndAt : null,
    execution.status === 'closing' ? stopOrderEndsAt(execution) : stopMovesAt(execution),
    execution.status === 'closing' && execution.close?.limit ? (execution.close.limitUntil ?? null) : null,
    ...execution.targets.map((leg) => targetTurnsAt(execution, leg)),
    ...Object.entries(execution.refusals).map(([leg, { retryAt }]) =>
      leg === 'pair' ? retryAt : placedAt(execution, leg, retryAt),
    ),
    sellingPair(execution)
      ? placedAt(execution, 'stop', Math.max(sellsUntil(execution), execution.refusals.stop?.retryAt ?? 0))
      : null,
  ].filter((time) => time !== null);
  return times.length > 0 ? Math.min(...times) : null;
}

/** When the stop order that is left to sell the position is cancelled; null if none is left to do so. */
const stopOrderEndsAt = ({ close, orders }: Execution): number | null =>
  orders.some(({ leg, state }) => leg === 'stop' && state === 'placed')
    ? (close?.leaveToStopUntil ?? null)
    : null;

/** The time, if the order of a leg is placed then; null if it stands, is not wanted, or waits for other orders. */
function placedAt(execution: Execution, leg: string, time: number): number | null {
  const wanted = desiredOrders(execution, time).find((terms) => terms.leg === leg);
  return wanted && mayPlace(execution, wanted, time) ? time : null;
}
