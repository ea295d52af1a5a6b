import { Decimal } from '../model/decimal.js';
import { leastReduced, quantityOnStep } from '../model/pair-rules.js';
import { turnTargets } from './arm-targets.js';
import { closeExecution, closeIfNothingLeft, endWaitsOfClose, onTick } from './on-tick.js';
import { awaitsEntry, hasEntered, isEnded, type Execution, type ForcedClose } from './execution.js';
import { ExecutionDraft, type ExecutionNote } from './execution-draft.js';
import type { ExecutionEvent, Liquidation } from './execution-event.js';
import { matchOrders, type OrderChanges } from './match-orders.js';
import { onCommand } from './on-command.js';
import { onOrderFill, onOrderUpdate } from './on-order.js';
import { desiredOrders } from './desired-orders.js';

/** The result of an event: the execution afterwards, orders to place and to cancel, and lines of the timeline. */
export interface ExecutionStep extends OrderChanges {
  readonly execution: Execution;
  readonly notes: readonly ExecutionNote[];
}

/**
 * Applies an event to an execution. Nothing else decides about orders. The same execution and event always give the same step.
 * A trade, or an update of a settled order, changes nothing if it is reported again.
 */
export function advanceExecution(execution: Execution, event: ExecutionEvent): ExecutionStep {
  const draft = new ExecutionDraft(execution);
  expireEntries(draft, event.at);
  endWaitsOfClose(draft, event.at);
  turnTargets(draft, event.at);
  apply(draft, event);
  closeIfNothingLeft(draft, event.at);
  const changes = matchOrders(draft, event.at);
  endIfDone(draft, event.at);
  return { execution: draft.now, notes: draft.notes, ...changes };
}

function apply(draft: ExecutionDraft, event: ExecutionEvent): void {
  if (event.type === 'order') return onOrderUpdate(draft, event, event.at);
  if (event.type === 'fill') return onOrderFill(draft, event, event.at);
  if (isEnded(draft.now)) return;
  switch (event.type) {
    case 'tick':
      return onTick(draft, event, event.at);
    case 'cancel':
      return closeExecution(draft, 'cancelled', 'the partner cancelled the signal');
    case 'close':
      return closeExecution(draft, 'closed', event.cause);
    case 'rules':
      return draft.set({ rules: event.rules });
    case 'refuse_entry':
      return refuseEntry(draft, event.leg, event.cause);
    case 'halt':
      return onHalt(draft, event.isHalted);
    case 'funding':
      return draft.set({
        position: { ...draft.now.position, funding: draft.now.position.funding.plus(event.amount) },
      });
    case 'liquidated':
      return onLiquidated(draft, event);
    case 'balance':
      return onBalance(draft, event.held);
    case 'time':
      return;
    case 'take_profit':
    case 'trailing_stop':
    case 'rebuy':
    case 'dca':
    case 'update_prices':
      return onCommand(draft, event);
  }
}

function expireEntries(draft: ExecutionDraft, at: number): void {
  const { entriesEndAt } = draft.now;
  if (entriesEndAt !== null && at >= entriesEndAt && !isEnded(draft.now))
    draft.withdrawEntries('the time for the entry has ended');
}

/** Halts entries, or lets them go on. Orders of halted entries are cancelled, so that nothing more is bought. */
function onHalt(draft: ExecutionDraft, isHalted: boolean): void {
  draft.set({ isHalted });
  if (!isHalted) return;
  for (const { id, state } of draft.now.entries) {
    if (state !== 'armed') continue;
    draft.setEntry(id, { state: 'waiting', quantity: null });
    draft.note('entry_halted', 'entries are halted; it waits for its price again', { leg: id });
  }
}

/** The type and cause of the line on the timeline, and the reason of the end. */
const forcedCloses: Record<ForcedClose, readonly [type: string, cause: string, reason: string]> = {
  liquidation: ['liquidated', 'its margin was used up', 'the exchange liquidated the position'],
  deleveraging: [
    'liquidated',
    'the exchange closed it to cover the loss of others (automatic deleveraging)',
    'the exchange closed the position by automatic deleveraging',
  ],
  settlement: [
    'settled',
    'the exchange settled the contract, which is traded no more',
    'the exchange settled the contract',
  ],
};

/** Books once that the exchange has closed the position, and closes what is left. */
function onLiquidated(draft: ExecutionDraft, event: Liquidation): void {
  const { tradeId, quantity, price, quoteFee, funding = Decimal.zero, closedBy = 'liquidation' } = event;
  const [type, cause, reason] = forcedCloses[closedBy];
  const { position, tradeIds } = draft.now;
  if (tradeIds.includes(tradeId)) return;
  const closed = quantity.compare(position.quantity) < 0 ? quantity : position.quantity;
  draft.set({
    tradeIds: [...tradeIds, tradeId],
    position: {
      ...position,
      quantity: position.quantity.minus(closed),
      exited: position.exited.plus(closed),
      exitValue: position.exitValue.plus(closed.times(price)),
      quoteFees: position.quoteFees.plus(quoteFee),
      funding: position.funding.plus(funding),
    },
  });
  draft.note(type, cause, {
    quantity: closed.toString(),
    price: price.toString(),
    fee: quoteFee.toString(),
  });
  closeExecution(draft, 'closed', reason);
}

/** Lowers the position if the account holds less: the user has sold some elsewhere. */
function onBalance(draft: ExecutionDraft, held: Decimal): void {
  const { position, rules, status } = draft.now;
  if (held.compare(position.quantity) >= 0) return;
  draft.set({ position: { ...position, quantity: held } });
  draft.note('sold_elsewhere', 'less is held than was bought', { quantity: held.toString() });
  // Dust is never sold: nothing is left to wait for.
  const isDust = quantityOnStep(held, rules).compare(leastReduced(rules)) < 0;
  if (status === 'open' && isDust) closeExecution(draft, 'closed', 'the position was sold elsewhere');
}

/**
 * Withdraws an entry that a limit of the subscriber refuses. If nothing is held and no other entry waits, the signal is skipped.
 */
function refuseEntry(draft: ExecutionDraft, leg: string, cause: string): void {
  const entry = draft.now.entries.find(({ id }) => id === leg);
  if (entry?.state !== 'armed') return;
  draft.setEntry(leg, { state: 'withdrawn' });
  draft.note('entry_refused', cause, { leg });
  draft.skipIfBare(cause);
}

/** Ends an execution that has no order on the exchange, nothing left to sell, and nothing to wait for. */
function endIfDone(draft: ExecutionDraft, at: number): void {
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
