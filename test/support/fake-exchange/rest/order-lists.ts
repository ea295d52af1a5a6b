import type { BookOrder, BookTrade } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';
import { numberIn, ordersOf, required, type Endpoint, type RestCall } from './rest-call.js';

/** Orders that Binance keeps together, found by ids of their own. */
export interface OrderList {
  kindOf: (call: RestCall) => BookKind;
  /** Which orders of the market it has; and which of these are open there. */
  has: (order: BookOrder) => boolean;
  isOpen: (order: BookOrder) => boolean;
  /** Names of the parameters with the ids. */
  idName: 'orderId' | 'algoId';
  clientIdName: 'origClientOrderId' | 'clientAlgoId';
  idOf: (order: BookOrder) => number;
  clientIdOf: (order: BookOrder) => string;
  rowOf: (order: BookOrder) => object;
}

/** The endpoints that look orders up; `one`, `open` and `all` end their paths. */
export const lookups = (
  list: OrderList,
  path: string,
  [one, open, all]: readonly [string, string, string],
): Record<string, Endpoint> => ({
  [`GET ${path}/${one}`]: (call) => list.rowOf(found(call, list, [-2013, 'Order does not exist.'])),
  [`GET ${path}/${open}`]: (call) => ordersIn(call, list).filter(list.isOpen).map(list.rowOf),
  [`GET ${path}/${all}`]: (call) => {
    required(call, 'symbol');
    return pageOf(call, ordersIn(call, list), list.idName).map(list.rowOf);
  },
});

/** The order that a call wants to cancel. */
export const toCancel = (call: RestCall, list: OrderList): BookOrder =>
  found(call, list, [-2011, 'Unknown order sent.']);

/** The trades of a symbol, or of one of its orders. */
export const tradesOf =
  (kindOf: OrderList['kindOf'], rowOf: (trade: BookTrade) => object): Endpoint =>
  (call) => {
    const symbol = required(call, 'symbol');
    const orderId = numberIn(call, 'orderId', 0);
    const trades = call
      .trades()
      .filter((trade) => trade.kind === kindOf(call) && trade.symbol === symbol)
      .filter((trade) => orderId === 0 || trade.orderId === orderId);
    return pageOf(call, trades, 'fromId').map(rowOf);
  };

const ordersIn = (call: RestCall, { kindOf, has }: OrderList): BookOrder[] =>
  ordersOf(call, [kindOf(call)]).filter(has);

/** The order that a call names by one of its ids; the newest of those with a client order id. */
function found(call: RestCall, list: OrderList, [code, message]: [number, string]): BookOrder {
  if (list.idName === 'orderId') required(call, 'symbol');
  const clientId = call.params.get(list.clientIdName);
  const id = numberIn(call, list.idName, 0);
  const order = ordersIn(call, list).findLast((each) =>
    clientId === null ? list.idOf(each) === id : list.clientIdOf(each) === clientId,
  );
  if (!order) throw new ExchangeRefusal(code, message);
  return order;
}

/** Rows in the time range, from an id on and up to the number that a call asks for. */
function pageOf<Row extends { id: number; time: number }>(
  call: RestCall,
  rows: readonly Row[],
  idName: string,
): Row[] {
  const limit = Math.min(1_000, numberIn(call, 'limit', 500));
  const [fromMs, untilMs] = [numberIn(call, 'startTime', 0), numberIn(call, 'endTime', Infinity)];
  const fromId = numberIn(call, idName, 0);
  const inRange = rows.filter(({ id, time }) => id >= fromId && time >= fromMs && time <= untilMs);
  // Without a beginning the newest are answered.
  const hasBeginning = call.params.has(idName) || call.params.has('startTime');
  return hasBeginning ? inRange.slice(0, limit) : inRange.slice(-limit);
}
