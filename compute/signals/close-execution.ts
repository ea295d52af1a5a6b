import { isReducible, leastReduced, quantityOnStep } from '../model/pair-rules.js';
import { desiredOrders } from './desired-orders.js';
import type { ExecutionDraft } from './execution-draft.js';

/** How long (ms) a sale at a limit may take before the position is sold at market. */
export const closeAtLimitMs = 10_000;

/** Sells otherwise what the stop order on the exchange has not sold in time, and at market what was not sold at the limit. */
export function endWaitsOfClose(draft: ExecutionDraft, at: number): void {
  const { leaveToStopUntil = null } = draft.now.close ?? {};
  if (leaveToStopUntil !== null && at >= leaveToStopUntil)
    draft.set({ close: { ...draft.now.close!, leaveToStopUntil: null } });
  const { close, status } = draft.now;
  if (status !== 'closing' || !close?.limit || !close.limitUntil || at < close.limitUntil) return;
  draft.set({ close: { ...close, limit: null, limitUntil: null } });
  draft.note(
    'close_at_market',
    `it was not sold at ${close.limit.toString()} within ${closeAtLimitMs / 1_000} s`,
  );
}

/** Withdraws the entries and sells the position at market. A cancel that came before stays the outcome. */
export function closeExecution(draft: ExecutionDraft, outcome: 'cancelled' | 'closed', cause: string): void {
  draft.withdrawEntries(cause);
  const isCancelled = draft.now.close?.outcome === 'cancelled';
  draft.startClosing({
    limit: null,
    outcome: isCancelled ? 'cancelled' : outcome,
    cause,
    leaveToStopUntil: null,
  });
}

/** Closes an execution whose position is sold, or is too small to be sold while nothing else is waited for. */
export function closeIfNothingLeft(draft: ExecutionDraft, at: number): void {
  closeIfSold(draft);
  closeIfStranded(draft, at);
}

/** A position of which everything is sold needs no more entries and targets. */
function closeIfSold(draft: ExecutionDraft): void {
  const { status, position, rules } = draft.now;
  if (status !== 'open' || quantityOnStep(position.quantity, rules).compare(leastReduced(rules)) >= 0) return;
  if (position.exited.sign === 0 && position.quantity.sign !== 0) return;
  closeExecution(draft, 'closed', 'everything is sold');
}

/** Closes a position that is too small to be sold and that no stop, target, entry or order can change any more. */
function closeIfStranded(draft: ExecutionDraft, at: number): void {
  const { status, position, rules, stop, lastPrice, targets, entries, orders } = draft.now;
  if (status !== 'open' || stop || !lastPrice || orders.length > 0) return;
  if ([...targets, ...entries].some(({ state }) => state === 'waiting')) return;
  if (isReducible(quantityOnStep(position.quantity, rules), lastPrice, rules)) return;
  if (desiredOrders(draft.now, at).length > 0) return;
  closeExecution(draft, 'closed', 'what is left cannot be sold');
}
