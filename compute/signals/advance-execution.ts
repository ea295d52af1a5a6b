import { Decimal } from '../model/decimal.js';
import { desiredOrders } from './desired-orders.js';
import { awaitsEntry, hasEntered, isEnded, type Execution } from './execution.js';
import { ExecutionDraft, type ExecutionNote } from './execution-draft.js';
import type { ExecutionEvent, Liquidation } from './execution-event.js';
import { matchOrders, type OrderChanges } from './match-orders.js';
import { onCommand } from './on-command.js';
import { onOrderFill, onOrderUpdate } from './on-order.js';
import { onTick } from './on-tick.js';
import { refuseEntry } from './refuse-entry.js';
import { isTradable, quantityOnStep } from '../model/pair-rules.js';

/** What an event leads to: the execution afterwards, orders to place and to cancel, and lines of the timeline. */
export interface ExecutionStep extends OrderChanges {
  readonly execution: Execution;
  readonly notes: readonly ExecutionNote[];
}

/**
 * The life of an execution, one event at a time. Nothing else decides about orders. The same execution and event always
 * give the same step; a trade, and an update of an order that is settled, change nothing when they are told again.
 */
export function advanceExecution(execution: Execution, event: ExecutionEvent): ExecutionStep {
  const draft = new ExecutionDraft(execution);
  expireEntries(draft, event.at);
  apply(draft, event);
  closeIfSold(draft);
  closeIfStranded(draft, event.at);
  const changes = matchOrders(draft, event.at);
  endIfDone(draft, event.at);
  return { execution: draft.now, notes: draft.notes, ...changes };
}

function apply(draft: ExecutionDraft, event: ExecutionEvent): void {
  if (event.type === 'order') return onOrderUpdate(draft, event, event.at);
  if (event.type === 'fill') return onOrderFill(draft, event);
  if (isEnded(draft.now)) return;
  switch (event.type) {
    case 'tick':
      return onTick(draft, event, event.at);
    case 'cancel':
      return close(draft, 'cancelled', 'the partner cancelled the signal');
    case 'close':
      return close(draft, 'closed', event.cause);
    case 'refuse_entry':
      return refuseEntry(draft, event.leg, event.cause);
    case 'halt':
      return draft.set({ isHalted: event.isHalted });
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

/** Takes back everything that is not filled and sells the position at market. */
function close(draft: ExecutionDraft, outcome: 'cancelled' | 'closed', cause: string): void {
  draft.withdrawEntries(cause);
  const isCancelled = draft.now.close?.outcome === 'cancelled';
  draft.startClosing({
    limit: null,
    outcome: isCancelled ? 'cancelled' : outcome,
    cause,
    leaveToStopUntil: null,
  });
}

function expireEntries(draft: ExecutionDraft, at: number): void {
  const { entriesEndAt } = draft.now;
  if (entriesEndAt !== null && at >= entriesEndAt && !isEnded(draft.now))
    draft.withdrawEntries('the time for the entry has ended');
}

/** Books what the exchange has closed, once, and closes what is left. */
function onLiquidated(draft: ExecutionDraft, event: Liquidation): void {
  const { tradeId, quantity, price, quoteFee, funding = Decimal.zero } = event;
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
  draft.note('liquidated', 'its margin was used up', {
    quantity: closed.toString(),
    price: price.toString(),
    fee: quoteFee.toString(),
  });
  close(draft, 'closed', 'the exchange liquidated the position');
}

/** Less is held than the execution believes: the user sold some elsewhere. */
function onBalance(draft: ExecutionDraft, held: Decimal): void {
  const { position } = draft.now;
  if (held.compare(position.quantity) >= 0) return;
  draft.set({ position: { ...position, quantity: held } });
  draft.note('sold_elsewhere', 'less is held than was bought', { quantity: held.toString() });
}

/** A position of which everything is sold needs no more entries and targets. */
function closeIfSold(draft: ExecutionDraft): void {
  const { status, position, rules } = draft.now;
  if (status !== 'open' || quantityOnStep(position.quantity, rules).compare(rules.minQuantity) >= 0) return;
  if (position.exited.sign === 0 && position.quantity.sign !== 0) return;
  close(draft, 'closed', 'everything is sold');
}

/** Closes a position that is too small to be sold and that no stop, target, entry or order can change any more. */
function closeIfStranded(draft: ExecutionDraft, at: number): void {
  const { status, position, rules, stop, lastPrice, targets, entries, orders } = draft.now;
  if (status !== 'open' || stop || !lastPrice || orders.length > 0) return;
  if ([...targets, ...entries].some(({ state }) => state === 'waiting')) return;
  if (isTradable(quantityOnStep(position.quantity, rules), lastPrice, rules)) return;
  if (desiredOrders(draft.now, at).length > 0) return;
  close(draft, 'closed', 'what is left cannot be sold');
}

/** Ends an execution when nothing stands on the exchange and nothing is left to sell or to wait for. */
function endIfDone(draft: ExecutionDraft, at: number): void {
  const { status, orders, position, close: plan } = draft.now;
  if (isEnded(draft.now) || orders.length > 0) return;
  if (status === 'closing') {
    if (desiredOrders(draft.now, at).length > 0) return;
    if (position.quantity.sign > 0)
      draft.note('dust', 'what is left is below the minimum of the exchange', {
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
