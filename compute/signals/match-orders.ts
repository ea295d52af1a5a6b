import { Decimal } from '../model/decimal.js';
import { desiredOrders } from './desired-orders.js';
import type { Execution, OrderName, OrderTerms, ReplacedOrder, StandingOrder } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import { toClose } from './target-quantity.js';

/** An order to place. Its client order id follows from execution, leg and revision. */
export interface OrderToPlace extends OrderTerms {
  readonly revision: number;
  /** See `StandingOrder`. It is cancelled with this order, and only if the exchange takes this order. */
  readonly replaces?: ReplacedOrder;
}

export interface OrderChanges {
  readonly place: readonly OrderToPlace[];
  readonly cancel: readonly OrderName[];
}

/**
 * Compares the standing orders with those that should stand. An order that differs is cancelled, and its replacement is placed
 * once the exchange has reported how the old one ended. A stop or close order stays until its successor takes its place, so that
 * the position is never without one. Orders that reduce the position never add up to more than the position.
 */
export function matchOrders(draft: ExecutionDraft, at: number): OrderChanges {
  const desired = desiredOrders(draft.now, at);
  const cancel = cancelOthers(draft, desired);
  const place: OrderToPlace[] = [];
  for (const terms of desired) {
    if (!mayPlace(draft.now, terms, at)) continue;
    const revision = (draft.now.revisions[terms.leg] ?? 0) + 1;
    const old = predecessor(draft.now, terms);
    const replaces = old && { replaces: { leg: old.leg, revision: old.revision, filled: old.filled } };
    const order: OrderToPlace = { ...orderTerms(terms), revision, ...replaces };
    place.push(order);
    const others = draft.now.orders.map((each) =>
      each === old ? { ...each, state: 'cancelling' as const } : each,
    );
    draft.set({
      orders: [...others, { ...order, filled: Decimal.zero, state: 'placed', filledAtEnd: null }],
      revisions: { ...draft.now.revisions, [terms.leg]: revision },
      ...(terms.leg === 'stop' && { stopPlacedAt: at }),
    });
    // Its second begins when the stop has made room for it.
    if (draft.now.targets.some(({ id, triedAt }) => id === terms.leg && triedAt))
      draft.setTarget(terms.leg, { triedAt: at });
  }
  return { place, cancel };
}

function cancelOthers(draft: ExecutionDraft, desired: OrderTerms[]): OrderName[] {
  const obsolete = draft.now.orders.filter(
    (order) =>
      order.state === 'placed' &&
      !desired.some((terms) => terms.leg === order.leg && isSame(terms, order)) &&
      !desired.some((terms) => isKeptFor(draft.now, order, terms)),
  );
  draft.set({
    orders: draft.now.orders.map((order) =>
      obsolete.includes(order) ? { ...order, state: 'cancelling' as const } : order,
    ),
  });
  return obsolete.map(({ leg, revision }) => ({ leg, revision }));
}

/** Orders that sell the whole rest of the position; one takes the place of the other. */
const isLastExit = ({ leg }: Pick<OrderTerms, 'leg'>): boolean => leg === 'stop' || leg === 'close';

/** Whether an order stays until an order of these terms has taken its place. */
const isKeptFor = (execution: Execution, order: StandingOrder, terms: OrderTerms): boolean =>
  isLastExit(order) &&
  isLastExit(terms) &&
  (order.leg === terms.leg || predecessor(execution, terms) === order);

/** The order whose place an order of these terms takes; undefined if none stands, or the one before it is not settled yet. */
function predecessor({ orders }: Execution, terms: OrderTerms): StandingOrder | undefined {
  const exits = isLastExit(terms) ? orders.filter(isLastExit) : [];
  return exits.length === 1 && exits[0].state === 'placed' ? exits[0] : undefined;
}

function isSame(terms: OrderTerms, order: StandingOrder): boolean {
  if (terms === order) return true;
  return (
    terms.type === order.type &&
    isEqual(terms.price, order.price) &&
    isEqual(terms.stopPrice, order.stopPrice) &&
    isEqual(terms.targetPrice ?? null, order.targetPrice ?? null) &&
    isEqual(terms.quantity, order.quantity.minus(order.filled))
  );
}

const isEqual = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : one.compare(other) === 0;

/**
 * Whether an order can be placed now: no order of its leg stands but the one that it replaces, no pause after a refusal holds, and the position is not
 * oversold.
 */
export function mayPlace(execution: Execution, terms: OrderTerms, at: number): boolean {
  const { refusals } = execution;
  const old = predecessor(execution, terms);
  if (old && (terms === old || (terms.leg === old.leg && isSame(terms, old)))) return false;
  const orders = execution.orders.filter((order) => order !== old);
  if (orders.some(({ leg }) => leg === terms.leg)) return false;
  if ((refusals[terms.leg]?.retryAt ?? 0) > at) return false;
  if (!terms.reduces) return true;
  // Where all of them only reduce, targets stand beside the stop.
  const isBeside = (order: OrderTerms) =>
    execution.restingTargets === 'all' && isLastExit(order) !== isLastExit(terms);
  const onSale = orders
    .filter((order) => order.reduces && !isBeside(order))
    .reduce((sum, { quantity, filled }) => sum.plus(quantity.minus(filled)), terms.quantity);
  return onSale.compare(toClose(execution)) <= 0;
}

const orderTerms = ({
  leg,
  side,
  type,
  price,
  stopPrice,
  targetPrice,
  quantity,
  reduces,
}: OrderTerms): OrderTerms => ({
  leg,
  side,
  type,
  price,
  stopPrice,
  ...(targetPrice && { targetPrice }),
  quantity,
  reduces,
});
