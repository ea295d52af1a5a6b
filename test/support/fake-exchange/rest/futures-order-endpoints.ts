import type { BookOrder, BookOrderType, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { algoIdOf, algoOrder, futuresOrder, futuresTrade } from './futures-order-fields.js';
import { lookups, toCancel, tradesOf, type OrderList } from './order-lists.js';
import { newClientId, placed, required, type Endpoint, type RestCall } from './rest-call.js';
import { sideOf } from './spot-endpoints.js';

/** Orders in the order book; a conditional one is there once it has triggered, under an id that the exchange makes. */
const plain: OrderList = {
  kindOf: () => 'futures',
  has: ({ request, isWorking }) => !request.isAlgo || isWorking,
  isOpen: ({ isOpen }) => isOpen,
  idName: 'orderId',
  clientIdName: 'origClientOrderId',
  idOf: ({ id }) => id,
  clientIdOf: ({ request }) => (request.isAlgo ? '' : request.clientOrderId),
  rowOf: futuresOrder,
};

/** Conditional orders, which have endpoints of their own until they trigger. */
const conditional: OrderList = {
  kindOf: plain.kindOf,
  has: ({ request }) => request.isAlgo === true,
  isOpen: ({ isOpen, isWorking }: BookOrder) => isOpen && !isWorking,
  idName: 'algoId',
  clientIdName: 'clientAlgoId',
  idOf: algoIdOf,
  clientIdOf: ({ request }) => request.clientOrderId,
  rowOf: algoOrder,
};

/** Orders of the futures account. */
export const futuresOrderEndpoints: Record<string, Endpoint> = {
  ...lookups(plain, '/fapi/v1', ['order', 'openOrders', 'allOrders']),
  ...lookups(conditional, '/fapi/v1', ['algoOrder', 'openAlgoOrders', 'allAlgoOrders']),
  'POST /fapi/v1/order': (call) => futuresOrder(placed(call, requestOf(call, false))),
  'POST /fapi/v1/algoOrder': (call) => algoOrder(placed(call, requestOf(call, true))),
  'DELETE /fapi/v1/order': (call) =>
    futuresOrder(call.apply({ type: 'cancel', orderId: toCancel(call, plain).id })!),
  'DELETE /fapi/v1/algoOrder': (call) => {
    const order = toCancel(call, conditional);
    if (order.isWorking) throw new ExchangeRefusal(-2011, 'Unknown order sent.');
    call.apply({ type: 'cancel', orderId: order.id });
    const { clientOrderId: clientAlgoId } = order.request;
    return { algoId: algoIdOf(order), clientAlgoId, code: '200', msg: 'success' };
  },
  'GET /fapi/v1/userTrades': tradesOf(plain.kindOf, futuresTrade),
};

function requestOf(call: RestCall, isAlgo: boolean): OrderRequest {
  const { params, engine, apiKey: account } = call;
  const symbol = required(call, 'symbol');
  engine.pairOf(symbol);
  const type = required(call, 'type') as BookOrderType;
  if (isAlgo && !/^STOP(_MARKET)?$/.test(type)) throw new ExchangeRefusal(-1116, 'Invalid orderType.');
  if (!isAlgo && type !== 'LIMIT' && type !== 'MARKET')
    throw new ExchangeRefusal(
      -4120,
      'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.',
    );
  const [side, positionSide] = [sideOf(call), params.get('positionSide') ?? 'BOTH'];
  // "Cannot be sent in Hedge Mode": the side of the position tells whether an order reduces it.
  if (positionSide !== 'BOTH' && params.has('reduceOnly'))
    throw new ExchangeRefusal(-1106, "Parameter 'reduceonly' sent when not required.");
  const closing = { LONG: 'SELL', SHORT: 'BUY' }[positionSide];
  return {
    ...{ kind: 'futures', account, symbol, type, isAlgo, side, quantity: required(call, 'quantity') },
    clientOrderId: params.get(isAlgo ? 'clientAlgoId' : 'newClientOrderId') ?? newClientId(),
    timeInForce: type === 'LIMIT' ? required(call, 'timeInForce') : 'GTC',
    price: type === 'LIMIT' || type === 'STOP' ? required(call, 'price') : null,
    stopPrice: isAlgo ? required(call, 'triggerPrice') : null,
    reduceOnly: closing === undefined ? params.get('reduceOnly') === 'true' : side === closing,
    ...(positionSide !== 'BOTH' && { positionSide: positionSide as 'LONG' | 'SHORT' }),
  };
}
