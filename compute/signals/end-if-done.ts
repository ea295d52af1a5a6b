import { desiredOrders } from './desired-orders.js';
import { leastReduced, quantityOnStep } from '../model/pair-rules.js';
import { awaitsEntry, hasEntered, isEnded } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';

/** Ends an execution that has no order on the exchange, nothing left to sell, and nothing to wait for. */
export function endIfDone(draft: ExecutionDraft, at: number): void {
  const { status, orders, position, rules, close: plan } = draft.now;
  if (isEnded(draft.now) || orders.length > 0) return;
  if (status === 'closing') {
    if (desiredOrders(draft.now, at).length > 0) return;
    if (quantityOnStep(position.quantity, rules).compare(leastReduced(rules)) >= 0) return;
    if (position.quantity.sign > 0)
      draft.note('dust', 'what is left is below the smallest quantity that the exchange trades', {
        quantity: position.quantity.toString(),
      });
    const isSkip = plan!.outcome === 'skipped' && !hasEntered(draft.now);
    return draft.end(plan!.outcome === 'skipped' && !isSkip ? 'closed' : plan!.outcome, plan!.cause);
  }
  // Rebuys and DCA levels cannot open a position, so they do not keep it alive.
  if (!hasEntered(draft.now) && !awaitsEntry(draft.now)) endUnfilled(draft, at);
}

function endUnfilled(draft: ExecutionDraft, at: number): void {
  const { entriesEndAt, refusals } = draft.now;
  if (entriesEndAt !== null && at >= entriesEndAt)
    return draft.end('expired', 'nothing was bought within the time for the entry');
  if (Object.keys(refusals).length > 0) return draft.end('rejected', 'the exchange refused the entry');
  draft.end('skipped', 'no entry can be ordered');
}
