import { Decimal } from '../../../compute/model/decimal.js';
import type {
  AccountFill,
  Lookup,
  Placement,
  VenueFill,
  VenueOrderState,
} from '../../../storage/exchanges/trading-venue.js';
import {
  isOrderEnded,
  type StoredFill,
  type StoredOrder,
} from '../../../storage/signals/stored-execution.js';
import { forcedLeg } from '../forced-shares.js';
import { forgottenReason } from './run-orders.js';
import type { RunState } from './run-state.js';

/** For this long (ms) after it was created, a cancel may not find an order although the exchange has shown it. */
const settlesMs = 15_000;

/** When (ms) an entry that did not trade at once is looked up: it may have a moment later, and the account not be streamed yet. */
const boughtMs = 1_000;

/** A trade by which the exchange has closed a position. */
export type ForcedFill = VenueFill & Pick<AccountFill, 'closedBy'>;

/** Applies the answer to the look-up of an order at `nowMs`. */
export function applyFound(run: RunState, order: StoredOrder, found: Lookup, nowMs: number): void {
  const { orders } = run;
  if (found && 'unknown' in found) {
    if (!isOrderEnded(order) || order.retryAt) orders.noteSilence(order, found.unknown, order.status, nowMs);
    return;
  }
  if (found && isOrderEnded(order)) {
    // A paused worker has placed it after it was ended here.
    orders.change(order, { status: 'unknown', cancelWanted: true }, nowMs);
  }
  orders.noteSeen(order, found !== null);
  if (found) return applyState(run, order, found, nowMs);
  if (wasShown(run, order)) return applyMissing(run, order, nowMs);
  if (isOrderEnded(order) && order.retryAt && order.retryAt.getTime() <= nowMs)
    return orders.change(order, { retryAt: null }, nowMs);
  const mayBeAbsent = order.status === 'unknown' || (order.status === 'sent' && orders.canBeLost);
  if (!mayBeAbsent || order.cancelWanted || !orders.isAbsent(order, nowMs)) return;
  // It was written as sent, but has not reached the exchange: it is placed under the same id.
  orders.sendAgain(order, nowMs);
}

/** Applies the answer to the placement of an order. */
export function applyPlacement(run: RunState, order: StoredOrder, placed: Placement, nowMs: number): void {
  const { orders } = run;
  orders.noteAsked(order, true);
  if ('state' in placed) return applyState(run, order, placed.state, nowMs);
  if ('unknown' in placed) {
    orders.noteSilence(order, placed.unknown, 'unknown', nowMs);
    order.leftAt = new Date(nowMs);
    return;
  }
  if ('postponed' in placed) {
    orders.noteSilence(order, placed.postponed, 'planned', nowMs);
    const earliestMs = nowMs + (placed.retryAfterMs ?? 0);
    if (order.retryAt!.getTime() < earliestMs) order.retryAt = new Date(earliestMs);
    return;
  }
  orders.change(order, { status: 'rejected', reason: placed.refused, retryAt: null }, nowMs);
  run.applyEnd(order, { status: 'rejected', filled: Decimal.zero, reason: placed.refused }, nowMs);
}

/** Applies the answer to the cancel of an order. */
export function applyCancel(run: RunState, order: StoredOrder, cancelled: Lookup, nowMs: number): void {
  const { orders } = run;
  orders.noteAsked(order);
  if (cancelled && 'unknown' in cancelled)
    return orders.noteSilence(order, cancelled.unknown, order.status, nowMs);
  if (cancelled) return applyState(run, order, cancelled, nowMs);
  if (!wasShown(run, order)) {
    if (orders.isAbsent(order, nowMs)) run.neverPlaced(order, nowMs);
    return;
  }
  if (nowMs - order.createdAt.getTime() >= settlesMs) return applyMissing(run, order, nowMs);
  orders.noteSilence(order, 'the exchange does not know it yet', order.status, nowMs);
}

/** Whether the exchange has shown an order, of which no end is known. */
const wasShown = ({ orders }: RunState, order: StoredOrder): boolean =>
  orders.canBeLost && order.exchangeOrderId !== null && !isOrderEnded(order);

/** Ends an order that the exchange has forgotten, with the trades that are known: it keeps orders with trades for much longer. */
function applyMissing(run: RunState, order: StoredOrder, nowMs: number): void {
  if (!run.orders.isForgotten(order, nowMs)) return;
  const filled = Decimal.read(order.filled);
  run.orders.change(order, { status: 'cancelled', cancelWanted: false, retryAt: null }, nowMs);
  run.applyEnd(order, { status: 'cancelled', filled, reason: forgottenReason }, nowMs);
}

/** Applies that the exchange has closed the position. That is listed as an order of its own. */
export function applyLiquidation(run: RunState, fill: ForcedFill, nowMs: number): void {
  const { tradeId, quantity, price, quoteFee, funding, closedBy } = fill;
  const { tradeIds, side: held } = run.execution;
  if (tradeIds.includes(tradeId)) return;
  const side = held === 'long' ? 'sell' : 'buy';
  const terms = { leg: forcedLeg, revision: 1, side, type: 'market', price: null } as const;
  const order = run.orders.add({ ...terms, stopPrice: null, quantity, reduces: true }, nowMs);
  run.orders.settle(order);
  Object.assign(order, { status: 'filled', filled: quantity.toString(), fills: [storedFill(fill)] });
  const own = {
    tradeId,
    quantity,
    price,
    quoteFee,
    ...(funding && { funding }),
    ...(closedBy && { closedBy }),
  };
  run.apply({ type: 'liquidated', ...own, at: nowMs });
}

function applyState(run: RunState, order: StoredOrder, state: VenueOrderState, nowMs: number): void {
  applyFills(run, order, state.fills, nowMs);
  const isOpen = state.status === 'open';
  const status = isOpen && state.filled.sign > 0 ? 'partly_filled' : state.status;
  const filled = state.filled.toString();
  const { exchangeOrderId } = state;
  const isFirst = isAwaited(order);
  if (isFirst) order.acknowledgedAt = new Date(nowMs);
  order.exchangeOrderId = exchangeOrderId;
  if (status === order.status && filled === order.filled && order.retryAt === null) return;
  const asksAgain = isFirst && isOpen && !order.reduces && run.orders.canBeLost;
  if (status === 'open' && !asksAgain && run.orders.noteOpened(order, run.isChanged)) return;
  const again = order.missed ? { missed: 0 } : {};
  const retryAt = asksAgain ? new Date(nowMs + boughtMs) : null;
  run.orders.change(order, { status, filled, exchangeOrderId, attempts: 0, retryAt, ...again }, nowMs);
  if (isOpen) return;
  order.cancelWanted = false;
  order.reason = state.reason ?? null;
  run.applyEnd(order, state, nowMs);
}

/** Whether the exchange has not confirmed the order yet. */
const isAwaited = ({ status, acknowledgedAt, exchangeOrderId }: StoredOrder): boolean =>
  acknowledgedAt === undefined &&
  exchangeOrderId === null &&
  (status === 'planned' || status === 'sent' || status === 'unknown');

function applyFills(run: RunState, order: StoredOrder, fills: readonly VenueFill[], nowMs: number): void {
  const { leg, revision } = order;
  for (const fill of fills) {
    if (order.fills.some(({ tradeId }) => tradeId === fill.tradeId)) continue;
    const { tradeId, quantity, price, baseFee, quoteFee, funding } = fill;
    order.fills.push(storedFill(fill));
    run.apply({
      type: 'fill',
      leg,
      revision,
      tradeId,
      quantity,
      price,
      baseFee,
      quoteFee,
      ...(funding && { funding }),
      at: nowMs,
    });
  }
}

const storedFill = ({
  tradeId,
  quantity,
  price,
  baseFee,
  quoteFee,
  funding,
  otherFees,
  at,
}: VenueFill): StoredFill => ({
  tradeId,
  quantity: quantity.toString(),
  price: price.toString(),
  baseFee: baseFee.toString(),
  quoteFee: quoteFee.toString(),
  ...(funding && { funding: funding.toString() }),
  ...(otherFees && {
    otherFees: otherFees.map(({ asset, amount }) => ({ asset, amount: amount.toString() })),
  }),
  at: new Date(at),
});
