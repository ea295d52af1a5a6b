import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookTrade, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { newClientId } from '../rest/spot-endpoints.js';
import { required, type Endpoint, type RestCall } from '../rest/rest-call.js';
import { bookSymbolOf, spotIdOf } from './kucoin-symbols.js';

/** A list of orders: that of margin has those of cross and isolated margin. */
type SpotKind = 'spot' | 'margin';

type BookSpotKind = SpotKind | 'isolated';

const isolatedTrade = 'MARGIN_ISOLATED_TRADE';

/** The markets of the book that a call asks for. */
function kindsOf({ params }: RestCall, kind: SpotKind): readonly BookSpotKind[] {
  if (kind === 'spot') return ['spot'];
  const tradeType = params.get('tradeType');
  if (tradeType === null) return ['margin', 'isolated'];
  return tradeType === isolatedTrade ? ['isolated'] : ['margin'];
}

const spotOrders = (call: RestCall, kind: SpotKind): BookOrder[] =>
  kindsOf(call, kind).flatMap((each) => ordersOf(call, each));

function spotOrderInPath(call: RestCall, kind: SpotKind): BookOrder {
  const id = call.path.split('/').at(-1);
  const order = spotOrders(call, kind).find((each) => kucoinOrderId(each) === id);
  if (!order) throw new ExchangeRefusal(-2013, 'Order does not exist.');
  return order;
}

/** Orders and trades of a market of high-frequency accounts. */
const endpointsOf = (kind: SpotKind, path: string, orders: string): Record<string, Endpoint> => ({
  [`POST ${path}/${kind === 'spot' ? 'orders' : 'order'}`]: (call) => {
    const order = call.apply({ type: 'order', request: requestOf(call, kind) })!;
    return { orderId: kucoinOrderId(order), clientOid: order.request.clientOrderId };
  },
  [`GET ${path}/orders/client-order/:clientOid`]: (call) => {
    const clientOid = required(call, 'clientOid');
    const order = spotOrders(call, kind).find(({ request }) => request.clientOrderId === clientOid);
    // It answers that there is none without an error.
    return order ? spotRow(call, order) : null;
  },
  [`GET ${path}/${orders}/active/symbols`]: (call) => {
    const open = spotOrders(call, kind).filter(({ isOpen }) => isOpen);
    return { symbols: [...new Set(open.map((order) => spotRow(call, order).symbol))] };
  },
  [`GET ${path}/orders/active`]: (call) =>
    spotOrders(call, kind)
      .filter(({ isOpen }) => isOpen)
      .map((order) => spotRow(call, order)),
  [`GET ${path}/orders/:orderId`]: (call) => spotRow(call, spotOrderInPath(call, kind)),
  [`DELETE ${path}/orders/:orderId`]: (call) => {
    const order = spotOrderInPath(call, kind);
    call.apply({ type: 'cancel', orderId: order.id });
    return { orderId: kucoinOrderId(order) };
  },
  [`GET ${path}/fills`]: (call) => {
    const { isHighFrequency = true, isUnified = false } = call.engine.accounts.get(call.apiKey)!.setup;
    const found = isHighFrequency && !isUnified ? spotOrders(call, kind) : [];
    const orders = new Map(found.map((order) => [order.id, order]));
    const lastId = Number(call.params.get('lastId') ?? Infinity);
    const limit = Math.min(100, Number(call.params.get('limit') ?? 20));
    const items = tradesOf(call, orders)
      .filter(({ id }) => id < lastId)
      .slice(0, limit)
      .map((trade) => fillRow(call, trade));
    return { items, lastId: items.at(-1)?.id ?? 0 };
  },
});

/** A page of the trades of an account that is not for many orders; its rows do not say how the list goes on. */
export function classicFills(call: RestCall) {
  const { isHighFrequency = true, isUnified = false } = call.engine.accounts.get(call.apiKey)!.setup;
  const orders = isHighFrequency || isUnified ? [] : ordersOf(call, 'spot');
  const trades = tradesOf(call, new Map(orders.map((order) => [order.id, order])));
  const pageSize = Math.min(500, Math.max(10, Number(call.params.get('pageSize') ?? 50)));
  const items = trades.slice(0, pageSize).map((trade) => ({ ...fillRow(call, trade), id: undefined }));
  return { currentPage: 1, pageSize, totalNum: trades.length, items };
}

function unifiedFills(call: RestCall) {
  const orders = call.engine.accounts.get(call.apiKey)!.setup.isUnified ? ordersOf(call, 'spot') : [];
  const trades = tradesOf(call, new Map(orders.map((order) => [order.id, order])));
  const items = trades.slice(0, Math.min(100, Number(call.params.get('pageSize') ?? 20))).map((trade) => {
    const { side, funds, createdAt, id: _, ...row } = fillRow(call, trade);
    return {
      ...{ ...row, side: side.toUpperCase(), value: funds, executionTime: createdAt * 1e6 },
      ...{ orderType: 'LIMIT', tax: '', liquidityRole: 'TAKER', fillType: 'NORMAL' },
    };
  });
  return { tradeType: call.params.get('tradeType'), lastId: 1, items };
}

export const kucoinSpotEndpoints: Record<string, Endpoint> = {
  'GET /api/ua/v1/unified/order/execution': unifiedFills,
  ...endpointsOf('spot', '/api/v1/hf', 'orders'),
  ...endpointsOf('margin', '/api/v3/hf/margin', 'order'),
};

/** The id of an order: text, as KuCoin's are. */
export const kucoinOrderId = ({ id }: { id: number }): string => id.toString(16).padStart(24, '0');

/** Orders of the account in a market and of the symbol that a call names, the newest first. */
export const ordersOf = (call: RestCall, kind: BookOrder['request']['kind']): BookOrder[] => {
  const id = call.params.get('symbol');
  const symbol = id === null ? null : bookSymbolOf(call, id);
  return call.engine.orders
    .filter(
      (order) =>
        order.request.account === call.apiKey &&
        order.request.kind === kind &&
        (symbol === null || order.request.symbol === symbol) &&
        !call.isHidden(order),
    )
    .reverse();
};

/** The order whose id is the last part of the path. */
export function orderInPath(call: RestCall, kind: BookOrder['request']['kind']): BookOrder {
  const id = call.path.split('/').at(-1);
  const order = ordersOf(call, kind).find((each) => kucoinOrderId(each) === id);
  if (!order) throw new ExchangeRefusal(-2013, 'Order does not exist.');
  return order;
}

/** Trades of the orders of a call in its span of time, the newest first. */
export function tradesOf(call: RestCall, orders: ReadonlyMap<number, BookOrder>): BookTrade[] {
  const { params, nowMs } = call;
  const weekMs = 7 * 86_400_000;
  const id = params.get('orderId');
  const from = Number(params.get('startAt') ?? nowMs - weekMs);
  const until = Number(params.get('endAt') ?? from + weekMs);
  if (until - from > weekMs) throw new ExchangeRefusal(400100, 'The time range cannot exceed 7 days');
  return call
    .trades()
    .filter(({ orderId, time }) => {
      if (!orders.has(orderId)) return false;
      return id === null ? time >= from && time <= until : kucoinOrderId({ id: orderId }) === id;
    })
    .reverse();
}

function spotRow({ engine }: RestCall, order: BookOrder) {
  const { request, price, quantity, executed, cost, isOpen } = order;
  const isCancelled = order.status === 'CANCELED' || order.status === 'EXPIRED';
  return {
    id: kucoinOrderId(order),
    clientOid: request.clientOrderId,
    symbol: spotIdOf(engine.pairOf(request.symbol)),
    opType: 'DEAL',
    type: price ? 'limit' : 'market',
    side: request.side.toLowerCase(),
    price: String(price ?? 0),
    size: String(quantity),
    funds: '0',
    dealSize: String(executed),
    dealFunds: String(cost),
    fee: '0',
    feeCurrency: 'USDT',
    timeInForce: request.timeInForce,
    cancelExist: isCancelled,
    createdAt: order.time,
    lastUpdatedAt: order.updateTime,
    tradeType: tradeTypeOf(request),
    inOrderBook: isOpen,
    cancelledSize: String(isCancelled ? order.left : 0),
    remainSize: String(isOpen ? order.left : 0),
    active: isOpen,
  };
}

const fillRow = ({ engine }: RestCall, trade: BookTrade) => ({
  id: trade.id,
  symbol: spotIdOf(engine.pairOf(trade.symbol)),
  tradeId: 1_000_000 + trade.id,
  orderId: kucoinOrderId({ id: trade.orderId }),
  side: trade.side.toLowerCase(),
  liquidity: trade.isMaker ? 'maker' : 'taker',
  price: String(trade.price),
  size: String(trade.quantity),
  funds: String(trade.price.times(trade.quantity)),
  fee: String(trade.commission),
  feeRate: '0.001',
  feeCurrency: trade.commissionAsset,
  tradeType: tradeTypeOf(trade),
  type: 'limit',
  createdAt: trade.time,
});

const tradeTypeOf = ({ kind }: Pick<OrderRequest, 'kind'>): string =>
  kind === 'spot' ? 'TRADE' : kind === 'isolated' ? isolatedTrade : 'MARGIN_TRADE';

function requestOf(call: RestCall, of: SpotKind): OrderRequest {
  const { params, apiKey: account } = call;
  const clientOrderId = params.get('clientOid') ?? newClientId();
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(clientOrderId)) throw new ExchangeRefusal(400100, 'clientOid invalid');
  const isLimit = required(call, 'type') === 'limit';
  // `marginModel` belongs to another endpoint, and means nothing here.
  const kind = of === 'margin' && params.get('isIsolated') === 'true' ? 'isolated' : of;
  // Ids are refused while their order is open, as in the book.
  return {
    ...{ kind, account, clientOrderId, symbol: bookSymbolOf(call, required(call, 'symbol')) },
    type: isLimit ? 'LIMIT' : 'MARKET',
    side: required(call, 'side') === 'buy' ? 'BUY' : 'SELL',
    // https://www.kucoin.com/docs-new/rest/spot-trading/orders/add-order: `timeInForce` GTC, GTT, IOC, FOK
    timeInForce: params.get('timeInForce') ?? 'GTC',
    price: isLimit ? required(call, 'price') : null,
    stopPrice: null,
    quantity: String(Decimal.read(required(call, 'size'))),
    ...{ reduceOnly: false, isAlgo: false },
    borrows: params.get('autoBorrow') === 'true',
  };
}
