import { isTradable, quantityOnStep } from '../model/pair-rules.js';
import { desiredOrders } from './desired-orders.js';
import type { ExecutionDraft } from './execution-draft.js';

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
  if (status !== 'open' || quantityOnStep(position.quantity, rules).compare(rules.minQuantity) >= 0) return;
  if (position.exited.sign === 0 && position.quantity.sign !== 0) return;
  closeExecution(draft, 'closed', 'everything is sold');
}

/** Closes a position that is too small to be sold and that no stop, target, entry or order can change any more. */
function closeIfStranded(draft: ExecutionDraft, at: number): void {
  const { status, position, rules, stop, lastPrice, targets, entries, orders } = draft.now;
  if (status !== 'open' || stop || !lastPrice || orders.length > 0) return;
  if ([...targets, ...entries].some(({ state }) => state === 'waiting')) return;
  if (isTradable(quantityOnStep(position.quantity, rules), lastPrice, rules)) return;
  if (desiredOrders(draft.now, at).length > 0) return;
  closeExecution(draft, 'closed', 'what is left cannot be sold');
}
