import { randomUUID } from 'node:crypto';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookOrderType, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';
import { eightPlaces, spotFields, spotOrder, spotTrade } from './order-fields.js';
import { pageOf, required, type Endpoint, type RestCall } from './rest-call.js';

/** What makes an order borrow; with AUTO_REPAY it only pays back. */
const borrowing = new Set(['MARGIN_BUY', 'AUTO_BORROW_REPAY']);

const types: readonly BookOrderType[] = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'];

/** The endpoints for orders of a market that speaks like spot, below a path such as `/api/v3`. */
export const spotOrderEndpoints = (of: 'spot' | 'margin', path: string): Record<string, Endpoint> => ({
  [`POST ${path}/order`]: (call) => {
    const order = call.apply({ type: 'order', request: requestOf(call, kindOf(call, of)) })!;
    return created(call, order);
  },
  [`GET ${path}/order`]: (call) => spotOrder(found(call, kindOf(call, of), -2013, 'Order does not exist.')),
  [`DELETE ${path}/order`]: (call) => {
    const { id } = found(call, kindOf(call, of), -2011, 'Unknown order sent.');
    const order = call.apply({ type: 'cancel', orderId: id })!;
    return {
      ...spotFields(order),
      origClientOrderId: order.request.clientOrderId,
      clientOrderId: call.params.get('newClientOrderId') ?? newClientId(),
      transactTime: Math.floor(call.nowMs),
    };
  },
  ...(of === 'spot' && {
    [`POST ${path}/order/cancelReplace`]: cancelReplace,
    [`POST ${path}/orderList/oco`]: placePair,
  }),
  [`GET ${path}/openOrders`]: (call) => {
    const symbol = call.params.get('symbol');
    return call.engine
      .openOrders(call.apiKey, kindOf(call, of))
      .filter((order) => (symbol === null || order.request.symbol === symbol) && !call.isHidden(order))
      .map(spotOrder);
  },
  [`GET ${path}/allOrders`]: (call) => {
    const symbol = required(call, 'symbol');
    const orders = call.engine.orders.filter(
      (order) =>
        isOf(order, call, kindOf(call, of)) && order.request.symbol === symbol && !call.isHidden(order),
    );
    return pageOf(call, orders, { idName: 'orderId', usual: 500, most: 1_000 }).map(spotOrder);
  },
  [`GET ${path}/myTrades`]: (call) => {
    const symbol = required(call, 'symbol');
    const orderId = call.params.get('orderId');
    const trades = call
      .trades()
      .filter(
        (trade) =>
          trade.kind === kindOf(call, of) &&
          trade.symbol === symbol &&
          (orderId === null || trade.orderId === Number(orderId)),
      );
    return pageOf(call, trades, { idName: 'fromId', usual: 500, most: 1_000 }).map(spotTrade);
  },
});

/**
 * "Cancel an Existing Order and Send a New Order" (Trading endpoints of the spot API) with STOP_ON_FAILURE and ONLY_NEW. A failure
 * of the cancellation is -2022, one of the new order alone -2021.
 */
function cancelReplace(call: RestCall): unknown {
  const old = call.engine.ofClientId(call.apiKey, 'spot', required(call, 'cancelOrigClientOrderId')).at(-1);
  if (!old || spotFields(old).status !== 'NEW')
    throw new ExchangeRefusal(-2022, 'Order cancel-replace failed.');
  const cancelResponse = spotFields(call.apply({ type: 'cancel', orderId: old.id })!);
  try {
    const order = call.apply({ type: 'order', request: requestOf(call, 'spot') })!;
    const newOrderResponse = created(call, order);
    return { cancelResult: 'SUCCESS', newOrderResult: 'SUCCESS', cancelResponse, newOrderResponse };
  } catch (error) {
    if (!(error instanceof ExchangeRefusal)) throw error;
    throw new ExchangeRefusal(-2021, 'Order cancel-replace partially failed.', 409);
  }
}

/**
 * "New Order list - OCO" of the spot API: on a sale LIMIT_MAKER above the price and a stop below it, on a purchase the other way.
 */
function placePair(call: RestCall): unknown {
  const { params, apiKey: account } = call;
  const symbol = required(call, 'symbol');
  const side = sideOf(call);
  const [stopName, targetName] = side === 'SELL' ? ['below', 'above'] : ['above', 'below'];
  const stopType = required(call, `${stopName}Type`);
  if (required(call, `${targetName}Type`) !== 'LIMIT_MAKER' || !/^STOP_LOSS(_LIMIT)?$/.test(stopType))
    throw new ExchangeRefusal(-1116, 'Invalid orderType.');
  const both = { kind: 'spot', account, symbol, side, quantity: required(call, 'quantity') } as const;
  const none = { reduceOnly: false, borrows: false, isAlgo: false };
  const isLimit = stopType === 'STOP_LOSS_LIMIT';
  const stop = {
    ...{ ...both, ...none, type: stopType as BookOrderType },
    clientOrderId: params.get(`${stopName}ClientOrderId`) ?? newClientId(),
    timeInForce: isLimit ? required(call, `${stopName}TimeInForce`) : 'GTC',
    price: isLimit ? required(call, `${stopName}Price`) : null,
    stopPrice: required(call, `${stopName}StopPrice`),
  };
  const target = {
    ...{ ...both, ...none, type: 'LIMIT_MAKER' as const, timeInForce: 'GTC', stopPrice: null },
    clientOrderId: params.get(`${targetName}ClientOrderId`) ?? newClientId(),
    price: required(call, `${targetName}Price`),
  };
  const placed = call.apply({ type: 'pair', stop, target })!;
  const reports = [placed, call.engine.orders[placed.id]].map((order) => ({
    ...spotOrder(order),
    transactTime: Math.floor(call.nowMs),
  }));
  return {
    ...{
      orderListId: placed.listId,
      contingencyType: 'OCO',
      symbol,
      transactionTime: Math.floor(call.nowMs),
    },
    ...{ listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' },
    orders: reports.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
    orderReports: reports,
  };
}

/** The order that a call names by one of its ids; the newest of those with a client order id. */
function found(call: RestCall, kind: BookKind, code: number, message: string): BookOrder {
  const { engine, apiKey, params } = call;
  const clientOrderId = params.get('origClientOrderId');
  const order =
    clientOrderId === null
      ? engine.orders[Number(required(call, 'orderId')) - 1]
      : engine.ofClientId(apiKey, kind, clientOrderId).at(-1);
  const isThere = order && isOf(order, call, kind) && order.request.symbol === required(call, 'symbol');
  if (!isThere || call.isHidden(order)) throw new ExchangeRefusal(code, message);
  return order;
}

const isOf = ({ request }: BookOrder, { apiKey }: RestCall, kind: BookKind): boolean =>
  request.account === apiKey && request.kind === kind;

/** Isolated margin shares the endpoints of cross margin. */
const kindOf = ({ params }: RestCall, of: 'spot' | 'margin'): BookKind =>
  of === 'margin' && /^true$/i.test(params.get('isIsolated') ?? '') ? 'isolated' : of;

function requestOf(call: RestCall, kind: BookKind): OrderRequest {
  const { params, engine, apiKey } = call;
  const symbol = required(call, 'symbol');
  engine.pairOf(symbol);
  const type = required(call, 'type') as BookOrderType;
  if (!types.includes(type)) throw new ExchangeRefusal(-1116, 'Invalid orderType.');
  const hasPrice = type === 'LIMIT' || type === 'LIMIT_MAKER' || type === 'STOP_LOSS_LIMIT';
  const hasStop = type === 'STOP_LOSS' || type === 'STOP_LOSS_LIMIT';
  return {
    ...{ kind, account: apiKey, symbol, type },
    clientOrderId: params.get('newClientOrderId') ?? newClientId(),
    side: sideOf(call),
    timeInForce: hasPrice && type !== 'LIMIT_MAKER' ? required(call, 'timeInForce') : 'GTC',
    price: hasPrice ? required(call, 'price') : null,
    stopPrice: hasStop ? required(call, 'stopPrice') : null,
    quantity: quantityOf(call, symbol),
    reduceOnly: false,
    borrows: kind !== 'spot' && borrowing.has(params.get('sideEffectType') ?? ''),
    isAlgo: false,
  };
}

/** BUY or SELL. */
export function sideOf(call: RestCall): 'BUY' | 'SELL' {
  const side = required(call, 'side');
  if (side !== 'BUY' && side !== 'SELL') throw new ExchangeRefusal(-1117, 'Invalid side.');
  return side;
}

/** The quantity of an order, which may be given by what it costs. */
function quantityOf(call: RestCall, symbol: string): string {
  const cost = call.params.get('quoteOrderQty');
  if (cost === null) return required(call, 'quantity');
  const step = Decimal.read(call.engine.pairOf(symbol).spot.stepSize);
  return String(Decimal.read(cost).dividedBy(call.engine.priceOf(symbol), 18, 'floor').toStep(step, 'floor'));
}

/** The answer to a new order, as long as the call asks for it. */
function created({ params, nowMs }: RestCall, order: BookOrder): object {
  const type = params.get('newOrderRespType') ?? (order.request.type.startsWith('STOP') ? 'ACK' : 'FULL');
  const { id, request, trades } = order;
  const times = { transactTime: Math.floor(nowMs) };
  if (type === 'ACK')
    return {
      symbol: request.symbol,
      orderId: id,
      orderListId: -1,
      clientOrderId: request.clientOrderId,
      ...times,
    };
  const result = { ...spotFields(order), ...times, workingTime: order.isWorking ? order.time : -1 };
  if (type === 'RESULT') return result;
  return {
    ...result,
    fills: trades.map((trade) => ({
      price: eightPlaces(trade.price),
      qty: eightPlaces(trade.quantity),
      commission: eightPlaces(trade.commission),
      commissionAsset: trade.commissionAsset,
      tradeId: trade.id,
    })),
  };
}

/** An id as the exchange makes one for an order without. */
export const newClientId = (): string => randomUUID().replaceAll('-', '').slice(0, 22);
