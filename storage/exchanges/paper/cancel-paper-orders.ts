import { Decimal } from '../../../compute/model/decimal.js';
import { pairName } from '../../../compute/model/market-pair.js';
import type { OrderRef, VenueOrderState } from '../trading-venue.js';
import type { PaperOrderRepository } from './paper-orders.js';
import {
  eventRowOf,
  ownPaperOrder,
  storedOrders,
  type PaperEventRow,
  type PaperOrderRow,
  type StoredPaperOrder,
} from './paper-rows.js';

/** Rounds of a cancellation: an order can be filled in part again and again while it is cancelled. */
const mostRounds = 20;

/** Why an order ended that was cancelled before it was placed. */
export const withdrawnReason = 'it was cancelled before it arrived';

/**
 * Cancels orders of SPOT that are open. For an order that was not placed yet, a row is stored under its client order id. The id
 * is unique, so a worker that places the order later is told that it has ended.
 */
export async function cancelPaperOrders(
  orders: PaperOrderRepository,
  refs: readonly OrderRef[],
): Promise<void> {
  let left = refs;
  for (let n = 0; n < mostRounds && left.length > 0; n++) {
    const rows = await orders.ofOrders(left.map(({ clientOrderId }) => clientOrderId));
    const known = storedOrders(rows);
    const taken = new Set(rows.map(({ order }) => order));
    const ends = left.flatMap((ref): PaperEventRow[] => {
      if (!taken.has(ref.clientOrderId)) return [withdrawnRow(ref)];
      const order = ownPaperOrder(known, ref);
      return order?.progress.end === null ? [cancelRow(order)] : [];
    });
    const refused = await orders.add(ends);
    const again = new Set(ends.filter(({ _id }) => refused.has(_id)).map(({ order }) => order));
    left = left.filter(({ clientOrderId }) => again.has(clientOrderId));
  }
}

/** The state of an order that was cancelled before it was placed; null for any other. */
export function withdrawnState(
  rows: readonly (PaperOrderRow | PaperEventRow)[],
  { userId, pair, clientOrderId }: OrderRef,
): VenueOrderState | null {
  const isOwn = rows.some(
    (row) => row._id === clientOrderId && row.userId === userId && row.pair === pairName(pair),
  );
  if (!isOwn) return null;
  const ids = { clientOrderId, exchangeOrderId: `PAPER-${clientOrderId}` };
  return { ...ids, status: 'cancelled', filled: Decimal.zero, fills: [], reason: withdrawnReason };
}

function cancelRow({ row, progress }: StoredPaperOrder): PaperEventRow {
  const { next: number } = progress;
  const end = { kind: 'end', fill: null, end: 'cancelled', reason: null } as const;
  return eventRowOf(row, { number, ...end, at: Date.now() });
}

/** The end of an order without the order. Its side is not known; nothing is left to do for it. */
function withdrawnRow({ userId, pair, clientOrderId }: OrderRef): PaperEventRow {
  return {
    _id: clientOrderId,
    order: clientOrderId,
    userId,
    pair: pairName(pair),
    side: 'buy',
    liveOf: null,
    number: 0,
    kind: 'end',
    quantity: null,
    price: null,
    baseFee: null,
    quoteFee: null,
    end: 'cancelled',
    reason: withdrawnReason,
    at: Date.now(),
    orderSeq: 0,
    isDue: false,
  };
}
