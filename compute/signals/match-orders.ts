import { Decimal } from '../model/decimal.js';
import { desiredOrders } from './desired-orders.js';
import type { Execution, OrderTerms, StandingOrder } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';

/** An order to place. Its client order id follows from execution, leg and revision. */
export interface OrderToPlace extends OrderTerms {
  readonly revision: number;
}

export interface OrderToCancel {
  readonly leg: string;
  readonly revision: number;
}

export interface OrderChanges {
  readonly place: readonly OrderToPlace[];
  readonly cancel: readonly OrderToCancel[];
}

/**
 * Compares the standing orders with those that should stand. An order that differs is cancelled, and its replacement is placed
 * once the exchange has reported how the old one ended. Orders that reduce the position never add up to more than the position.
 */
export function matchOrders(draft: ExecutionDraft, at: number): OrderChanges {
  const desired = desiredOrders(draft.now, at);
  const cancel = cancelOthers(draft, desired);
  const place: OrderToPlace[] = [];
  for (const terms of desired) {
    if (!mayPlace(draft.now, terms, at)) continue;
    const revision = (draft.now.revisions[terms.leg] ?? 0) + 1;
    const order: OrderToPlace = { ...orderTerms(terms), revision };
    place.push(order);
    draft.set({
      orders: [...draft.now.orders, { ...order, filled: Decimal.zero, state: 'placed', filledAtEnd: null }],
      revisions: { ...draft.now.revisions, [terms.leg]: revision },
      ...(terms.leg === 'stop' && { stopPlacedAt: at }),
    });
  }
  return { place, cancel };
}

function cancelOthers(draft: ExecutionDraft, desired: OrderTerms[]): OrderToCancel[] {
  const obsolete = draft.now.orders.filter(
    (order) =>
      order.state === 'placed' && !desired.some((terms) => terms.leg === order.leg && isSame(terms, order)),
  );
  draft.set({
    orders: draft.now.orders.map((order) =>
      obsolete.includes(order) ? { ...order, state: 'cancelling' as const } : order,
    ),
  });
  return obsolete.map(({ leg, revision }) => ({ leg, revision }));
}

function isSame(terms: OrderTerms, order: StandingOrder): boolean {
  if (terms === order) return true;
  return (
    terms.type === order.type &&
    isEqual(terms.price, order.price) &&
    isEqual(terms.stopPrice, order.stopPrice) &&
    isEqual(terms.quantity, order.quantity.minus(order.filled))
  );
}

const isEqual = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : one.compare(other) === 0;

/**
 * Whether an order can be placed now: no order of its leg stands, no pause after a refusal holds, and the position is not
 * oversold.
 */
export function mayPlace({ orders, position, refusals }: Execution, terms: OrderTerms, at: number): boolean {
  if (orders.some(({ leg }) => leg === terms.leg)) return false;
  if ((refusals[terms.leg]?.retryAt ?? 0) > at) return false;
  if (!terms.reduces) return true;
  const onSale = orders
    .filter(({ reduces }) => reduces)
    .reduce((sum, { quantity, filled }) => sum.plus(quantity.minus(filled)), terms.quantity);
  return onSale.compare(position.quantity) <= 0;
}

const orderTerms = ({ leg, side, type, price, stopPrice, quantity, reduces }: OrderTerms): OrderTerms => ({
  leg,
  side,
  type,
  price,
  stopPrice,
  quantity,
  reduces,
});
