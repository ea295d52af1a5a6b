import type { BookOrder, BookOrderType, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { algoIdOf, algoOrder, futuresOrder, futuresTrade } from './futures-order-fields.js';
import { pageOf, required, type Endpoint, type RestCall } from './rest-call.js';
import { newClientId, sideOf } from './spot-endpoints.js';

/** Orders of the futures account. Conditional orders have endpoints of their own until they trigger. */
export const futuresOrderEndpoints: Record<string, Endpoint> = {
  'POST /fapi/v1/order': (call) =>
    futuresOrder(call.apply({ type: 'order', request: requestOf(call, plainTypes, false) })!),
  'GET /fapi/v1/order': (call) => futuresOrder(plainOrder(call, -2013, 'Order does not exist.')),
  'DELETE /fapi/v1/order': (call) => {
    const { id } = plainOrder(call, -2011, 'Unknown order sent.');
    return futuresOrder(call.apply({ type: 'cancel', orderId: id })!);
  },
  'GET /fapi/v1/openOrders': (call) => openOf(call, isPlain).map(futuresOrder),
  'GET /fapi/v1/allOrders': (call) => {
    const symbol = required(call, 'symbol');
    const orders = ordersOf(call).filter((order) => isPlain(order) && order.request.symbol === symbol);
    return pageOf(call, orders, { idName: 'orderId', usual: 500, most: 1_000 }).map(futuresOrder);
  },
  'GET /fapi/v1/userTrades': (call) => {
    const symbol = required(call, 'symbol');
    const orderId = call.params.get('orderId');
    const trades = call
      .trades()
      .filter(
        (trade) =>
          trade.kind === 'futures' &&
          trade.symbol === symbol &&
          (orderId === null || trade.orderId === Number(orderId)),
      );
    return pageOf(call, trades, { idName: 'fromId', usual: 500, most: 1_000 }).map(futuresTrade);
  },

  'POST /fapi/v1/algoOrder': (call) =>
    algoOrder(call.apply({ type: 'order', request: requestOf(call, algoTypes, true) })!),
  'GET /fapi/v1/algoOrder': (call) => algoOrder(conditionalOrder(call, -2013, 'Order does not exist.')),
  'DELETE /fapi/v1/algoOrder': (call) => {
    const order = conditionalOrder(call, -2011, 'Unknown order sent.');
    if (order.isWorking) throw new ExchangeRefusal(-2011, 'Unknown order sent.');
    call.apply({ type: 'cancel', orderId: order.id });
    const { clientOrderId: clientAlgoId } = order.request;
    return { algoId: algoIdOf(order), clientAlgoId, code: '200', msg: 'success' };
  },
  'GET /fapi/v1/openAlgoOrders': (call) =>
    openOf(call, ({ isWorking, request }) => request.isAlgo && !isWorking).map(algoOrder),
  'GET /fapi/v1/allAlgoOrders': (call) => {
    const symbol = required(call, 'symbol');
    const orders = ordersOf(call).filter(({ request }) => request.isAlgo && request.symbol === symbol);
    return pageOf(call, orders, { idName: 'algoId', usual: 500, most: 1_000 }).map(algoOrder);
  },
};

const plainTypes: readonly BookOrderType[] = ['LIMIT', 'MARKET'];
const algoTypes: readonly BookOrderType[] = ['STOP', 'STOP_MARKET'];

/** Whether the order is in the order book: a conditional one is once it has triggered. */
const isPlain = ({ request, isWorking }: BookOrder): boolean => !request.isAlgo || isWorking;

const ordersOf = (call: RestCall): BookOrder[] =>
  call.engine.orders.filter(
    (order) =>
      order.request.account === call.apiKey && order.request.kind === 'futures' && !call.isHidden(order),
  );

function openOf(call: RestCall, isAsked: (order: BookOrder) => boolean): BookOrder[] {
  const symbol = call.params.get('symbol');
  return call.engine
    .openOrders(call.apiKey, 'futures')
    .filter(
      (order) =>
        isAsked(order) && (symbol === null || order.request.symbol === symbol) && !call.isHidden(order),
    );
}

/** The order that a call names; the newest of those with a client order id. */
function plainOrder(call: RestCall, code: number, message: string): BookOrder {
  const symbol = required(call, 'symbol');
  const clientOrderId = call.params.get('origClientOrderId');
  const orderId = Number(call.params.get('orderId') ?? '0');
  const order = ordersOf(call)
    .filter(isPlain)
    .findLast(({ id, request }) =>
      clientOrderId === null ? id === orderId : !request.isAlgo && request.clientOrderId === clientOrderId,
    );
  if (order?.request.symbol !== symbol) throw new ExchangeRefusal(code, message);
  return order;
}

function conditionalOrder(call: RestCall, code: number, message: string): BookOrder {
  const clientAlgoId = call.params.get('clientAlgoId');
  const algoId = Number(call.params.get('algoId') ?? '0');
  const order = ordersOf(call).findLast(
    (each) =>
      each.request.isAlgo &&
      (clientAlgoId === null ? algoIdOf(each) === algoId : each.request.clientOrderId === clientAlgoId),
  );
  if (!order) throw new ExchangeRefusal(code, message);
  return order;
}

function requestOf(call: RestCall, types: readonly BookOrderType[], isAlgo: boolean): OrderRequest {
  const { params, engine, apiKey: account } = call;
  const symbol = required(call, 'symbol');
  engine.pairOf(symbol);
  const type = required(call, 'type') as BookOrderType;
  if (!types.includes(type))
    throw isAlgo
      ? new ExchangeRefusal(-1116, 'Invalid orderType.')
      : new ExchangeRefusal(
          -4120,
          'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
        );
  const hasPrice = type === 'LIMIT' || type === 'STOP';
  const [side, positionSide] = [sideOf(call), params.get('positionSide') ?? 'BOTH'];
  // "Cannot be sent in Hedge Mode": the side of the position tells whether an order reduces it.
  if (positionSide !== 'BOTH' && params.has('reduceOnly'))
    throw new ExchangeRefusal(-1106, "Parameter 'reduceonly' sent when not required.");
  const closing = { LONG: 'SELL', SHORT: 'BUY' }[positionSide];
  return {
    ...{ kind: 'futures', account, symbol, type, isAlgo, side, borrows: false },
    clientOrderId: params.get(isAlgo ? 'clientAlgoId' : 'newClientOrderId') ?? newClientId(),
    timeInForce: type === 'LIMIT' ? required(call, 'timeInForce') : 'GTC',
    price: hasPrice ? required(call, 'price') : null,
    stopPrice: isAlgo ? required(call, 'triggerPrice') : null,
    quantity: required(call, 'quantity'),
    reduceOnly: closing === undefined ? params.get('reduceOnly') === 'true' : side === closing,
    ...(positionSide !== 'BOTH' && { positionSide: positionSide as 'LONG' | 'SHORT' }),
  };
}
