import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
import {
  progressOf,
  type PaperEnd,
  type PaperEvent,
  type PaperOrder,
  type PaperProgress,
} from '../../../compute/paper/paper-order.js';
import type { OrderRef, VenueFill, VenueOrderState } from '../trading-venue.js';

/** What rows of an order and of its events have in common. */
interface PaperRow {
  /**
   * The client order id; for an event with its number behind a point. Unique, so that both are stored once. The end of an order
   * that was cancelled before it was placed has the id of the order, so that no order is stored under it.
   */
  _id: string;
  /** The client order id. */
  order: string;
  userId: string;
  pair: string;
  side: 'buy' | 'sell';
  /**
   * The user, until the order has ended, its fills are in the account and the user has placed another one; then null. Live rows
   * and the account together say what is free.
   */
  liveOf: string | null;
}

/** An order as it was taken. Decimals are texts. */
export interface PaperOrderRow extends PaperRow {
  /** Number of the order among those of its user, unique and without gaps: of two placed at the same time one is refused. */
  seq: number;
  owner: string;
  type: PaperOrder['type'];
  price: string | null;
  stopPrice: string | null;
  quantity: string;
  bound: string | null;
  placedAt: number;
  /** The pair and the direction from which a price reaches the order: `BTC/USDT<` from above; null once it has ended. */
  watch: string | null;
  /** The price that reaches it, rounded to a double, which never puts it on the other side of another rounded price. */
  level: number | null;
}

/** Something that happened to an order, and what a settlement needs of the order itself. */
export interface PaperEventRow extends PaperRow {
  number: number;
  kind: PaperEvent['kind'];
  quantity: string | null;
  price: string | null;
  baseFee: string | null;
  quoteFee: string | null;
  end: PaperEnd | null;
  reason: string | null;
  at: number;
  orderSeq: number;
  /** Whether a settlement has work with it. */
  isDue: boolean;
}

export const isOrderRow = (row: PaperOrderRow | PaperEventRow): row is PaperOrderRow => 'seq' in row;

/** Reaches an order at market, or one whose stop was reached, with every price. */
export const anyLevel = Number.MAX_VALUE;

/** A purchase with a limit and the stop of a sale are reached from above; the others from below. */
export const watchOf = (pair: PairSymbols, direction: '<' | '>'): string => `${pairName(pair)}${direction}`;

export function rowOf(order: PaperOrder, userId: string, owner: string, seq: number): PaperOrderRow {
  const { id, pair, side, type, price, stopPrice, quantity, bound, placedAt } = order;
  const isFromAbove = type === 'market' || (type === 'stop') === (side === 'sell');
  const level = stopPrice ?? price;
  return {
    _id: id,
    order: id,
    userId,
    pair: pairName(pair),
    side,
    liveOf: userId,
    seq,
    owner,
    type,
    price: price && String(price),
    stopPrice: stopPrice && String(stopPrice),
    quantity: String(quantity),
    bound: bound && String(bound),
    placedAt,
    watch: watchOf(pair, isFromAbove ? '<' : '>'),
    level: type === 'market' ? anyLevel : Number(String(level)),
  };
}

export function orderOf(row: PaperOrderRow): PaperOrder {
  const { _id, pair, side, type, price, stopPrice, quantity, bound, placedAt } = row;
  return {
    id: _id,
    pair: parsePair(pair)!,
    side,
    type,
    price: read(price),
    stopPrice: read(stopPrice),
    quantity: Decimal.read(quantity),
    bound: read(bound),
    placedAt,
  };
}

export function eventRowOf(
  { _id, userId, pair, side, seq }: PaperOrderRow,
  { number, kind, fill, end, reason, at }: PaperEvent,
): PaperEventRow {
  return {
    _id: `${_id}.${number}`,
    order: _id,
    userId,
    pair,
    side,
    liveOf: userId,
    number,
    kind,
    quantity: fill && String(fill.quantity),
    price: fill && String(fill.price),
    baseFee: fill && String(fill.baseFee),
    quoteFee: fill && String(fill.quoteFee),
    end,
    reason,
    at,
    orderSeq: seq,
    isDue: fill !== null || end !== null,
  };
}

export function eventOf({
  number,
  kind,
  quantity,
  price,
  baseFee,
  quoteFee,
  end,
  reason,
  at,
}: PaperEventRow): PaperEvent {
  const fill =
    quantity === null
      ? null
      : {
          quantity: Decimal.read(quantity),
          price: Decimal.read(price!),
          baseFee: Decimal.read(baseFee!),
          quoteFee: Decimal.read(quoteFee!),
        };
  return { number, kind, fill, end, reason, at };
}

/** An order with everything that happened to it. */
export interface StoredPaperOrder {
  row: PaperOrderRow;
  events: PaperEventRow[];
  progress: PaperProgress;
}

/** Orders with their events, by client order id; events whose order is not among the rows are left out. */
export function storedOrders(
  rows: readonly (PaperOrderRow | PaperEventRow)[],
): Map<string, StoredPaperOrder> {
  const isEventRow = (row: PaperOrderRow | PaperEventRow): row is PaperEventRow => !isOrderRow(row);
  const eventsOf = groupBy(rows.filter(isEventRow), ({ order }) => order);
  const orders = rows.filter(isOrderRow).map((row): [string, StoredPaperOrder] => {
    const events = (eventsOf.get(row._id) ?? []).sort((one, other) => one.number - other.number);
    return [row._id, { row, events, progress: progressOf(events.map(eventOf)) }];
  });
  return new Map(orders);
}

/** The order of a user and pair; null where the order of the id is of another one, or not among them. */
export function ownPaperOrder(
  orders: ReadonlyMap<string, StoredPaperOrder>,
  { userId, pair, clientOrderId }: OrderRef,
): StoredPaperOrder | null {
  const order = orders.get(clientOrderId);
  return order?.row.userId === userId && order.row.pair === pairName(pair) ? order : null;
}

export function stateOf({ row, events, progress }: StoredPaperOrder): VenueOrderState {
  return {
    clientOrderId: row._id,
    exchangeOrderId: `PAPER-${row._id}`,
    status: progress.end ?? 'open',
    filled: progress.filled,
    fills: events.flatMap(venueFill),
    ...(progress.reason !== null && { reason: progress.reason }),
  };
}

/** The trade of an event; empty for an event without one. */
export function venueFill(row: PaperEventRow): VenueFill[] {
  const { fill, at } = eventOf(row);
  return fill ? [{ tradeId: row._id, ...fill, at }] : [];
}

const read = (text: string | null): Decimal | null => (text === null ? null : Decimal.read(text));
