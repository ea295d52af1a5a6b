import type { BookOrder, BookTrade } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';
import {
  numberIn,
  ordersOf as accountOrders,
  required,
  type Endpoint,
  type RestCall,
} from '../rest/rest-call.js';
import { bookSymbolOf } from './kucoin-symbols.js';

/** The id of an order: text, as KuCoin's are. */
export const kucoinOrderId = ({ id }: { id: number }): string => id.toString(16).padStart(24, '0');

/** Orders of the account in some markets and of the symbol that a call names, the newest first. */
export function ordersOf(call: RestCall, ...kinds: BookKind[]): BookOrder[] {
  const id = call.params.get('symbol');
  return accountOrders(call, kinds, id === null ? null : bookSymbolOf(call, id)).reverse();
}

/** The order whose id is the last part of the path. */
export function orderInPath(call: RestCall, ...kinds: BookKind[]): BookOrder {
  const id = call.path.split('/').at(-1);
  const order = ordersOf(call, ...kinds).find((each) => kucoinOrderId(each) === id);
  if (!order) throw new ExchangeRefusal(-2013, 'Order does not exist.');
  return order;
}

/** The order with the client's id in a call. */
export function orderNamed(call: RestCall, ...kinds: BookKind[]): BookOrder | undefined {
  const clientOid = required(call, 'clientOid');
  return ordersOf(call, ...kinds).find(({ request }) => request.clientOrderId === clientOid);
}

export const ackOf = (order: BookOrder) => ({
  orderId: kucoinOrderId(order),
  clientOid: order.request.clientOrderId,
});

/** Trades of orders in the span of time of a call, the newest first. */
export function tradesOf(call: RestCall, orders: readonly BookOrder[]): BookTrade[] {
  const weekMs = 7 * 86_400_000;
  const ids = new Set(orders.map(({ id }) => id));
  const id = call.params.get('orderId');
  const from = numberIn(call, 'startAt', call.nowMs - weekMs);
  const until = numberIn(call, 'endAt', from + weekMs);
  if (until - from > weekMs) throw new ExchangeRefusal(400100, 'The time range cannot exceed 7 days');
  return call
    .trades()
    .filter(({ orderId }) => ids.has(orderId))
    .filter(({ orderId, time }) =>
      id === null ? time >= from && time <= until : kucoinOrderId({ id: orderId }) === id,
    )
    .reverse();
}

/** A page of a list by its number. */
export function pageOf(call: RestCall, rows: readonly object[]) {
  const pageSize = Math.min(1_000, numberIn(call, 'pageSize', 50));
  const currentPage = numberIn(call, 'currentPage', 1);
  const items = rows.slice((currentPage - 1) * pageSize, currentPage * pageSize);
  return { currentPage, pageSize, totalNum: rows.length, items };
}

/** What orders and trades say of themselves in all markets. */
export const orderFields = (order: BookOrder) => ({
  id: kucoinOrderId(order),
  clientOid: order.request.clientOrderId,
  type: order.price ? 'limit' : 'market',
  side: order.request.side.toLowerCase(),
  timeInForce: order.request.timeInForce,
  cancelExist: order.status === 'CANCELED' || order.status === 'EXPIRED',
  createdAt: order.time,
});

export const tradeFields = (trade: BookTrade) => ({
  orderId: kucoinOrderId({ id: trade.orderId }),
  side: trade.side.toLowerCase(),
  liquidity: trade.isMaker ? 'maker' : 'taker',
  price: String(trade.price),
  fee: String(trade.commission),
  feeCurrency: trade.commissionAsset,
  createdAt: trade.time,
});

/** Where a websocket connects, and its token. */
export const bullet =
  (tokenOf: (call: RestCall) => string): Endpoint =>
  (call) => ({
    token: tokenOf(call),
    instanceServers: [
      { endpoint: `ws://${call.host}/endpoint`, encrypt: false, protocol: 'websocket', pingInterval: 18_000 },
    ],
  });
