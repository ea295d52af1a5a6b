import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookOrderType, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';
import { eightPlaces, spotFields, spotOrder, spotTrade } from './order-fields.js';
import { lookups, toCancel, tradesOf, type OrderList } from './order-lists.js';
import { newClientId, ordersOf, placed, required, type Endpoint, type RestCall } from './rest-call.js';

/** What makes an order borrow; with AUTO_REPAY it only pays back. */
const borrowing = new Set(['MARGIN_BUY', 'AUTO_BORROW_REPAY']);

const types: readonly BookOrderType[] = ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'];

/** The orders of a market that speaks like spot; isolated margin shares the endpoints of cross margin. */
const listOf = (of: 'spot' | 'margin'): OrderList => ({
  kindOf: ({ params }) =>
    of === 'margin' && /^true$/i.test(params.get('isIsolated') ?? '') ? 'isolated' : of,
  has: () => true,
  isOpen: ({ isOpen }) => isOpen,
  idName: 'orderId',
  clientIdName: 'origClientOrderId',
  idOf: ({ id }) => id,
  clientIdOf: ({ request }) => request.clientOrderId,
  rowOf: spotOrder,
});

/** The endpoints for orders of such a market, below a path such as `/api/v3`. */
export function spotOrderEndpoints(of: 'spot' | 'margin', path: string): Record<string, Endpoint> {
  const list = listOf(of);
  return {
    ...lookups(list, path, ['order', 'openOrders', 'allOrders']),
    [`POST ${path}/order`]: (call) => created(call, placed(call, requestOf(call, list.kindOf(call)))),
    [`DELETE ${path}/order`]: (call) => {
      const order = call.apply({ type: 'cancel', orderId: toCancel(call, list).id })!;
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
    [`GET ${path}/myTrades`]: tradesOf(list.kindOf, spotTrade),
  };
}

/**
 * "Cancel an Existing Order and Send a New Order" (Trading endpoints of the spot API) with STOP_ON_FAILURE and ONLY_NEW. A failure
 * of the cancellation is -2022, one of the new order alone -2021.
 */
function cancelReplace(call: RestCall): unknown {
  const clientOrderId = required(call, 'cancelOrigClientOrderId');
  const old = ordersOf(call, ['spot']).findLast(({ request }) => request.clientOrderId === clientOrderId);
  if (old?.status !== 'NEW') throw new ExchangeRefusal(-2022, 'Order cancel-replace failed.');
  const cancelResponse = spotFields(call.apply({ type: 'cancel', orderId: old.id })!);
  try {
    return { cancelResponse, newOrderResponse: created(call, placed(call, requestOf(call, 'spot'))) };
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
  const isLimit = stopType === 'STOP_LOSS_LIMIT';
  const stop = {
    ...{ ...both, type: stopType as BookOrderType },
    clientOrderId: params.get(`${stopName}ClientOrderId`) ?? newClientId(),
    timeInForce: isLimit ? required(call, `${stopName}TimeInForce`) : 'GTC',
    price: isLimit ? required(call, `${stopName}Price`) : null,
    stopPrice: required(call, `${stopName}StopPrice`),
  };
  const target = {
    ...{ ...both, type: 'LIMIT_MAKER' as const, timeInForce: 'GTC' },
    clientOrderId: params.get(`${targetName}ClientOrderId`) ?? newClientId(),
    price: required(call, `${targetName}Price`),
  };
  const first = call.apply({ type: 'pair', stop, target })!;
  const orderReports = [first, call.engine.orders[first.id]].map((order) => ({
    ...spotOrder(order),
    transactTime: Math.floor(call.nowMs),
  }));
  const orders = orderReports.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId }));
  return { orderListId: first.listId, symbol, transactionTime: Math.floor(call.nowMs), orders, orderReports };
}

function requestOf(call: RestCall, kind: BookKind): OrderRequest {
  const { params, engine, apiKey: account } = call;
  const symbol = required(call, 'symbol');
  engine.pairOf(symbol);
  const type = required(call, 'type') as BookOrderType;
  if (!types.includes(type)) throw new ExchangeRefusal(-1116, 'Invalid orderType.');
  const hasPrice = type.includes('LIMIT');
  return {
    ...{ kind, account, symbol, type, side: sideOf(call), quantity: quantityOf(call, symbol) },
    clientOrderId: params.get('newClientOrderId') ?? newClientId(),
    timeInForce: hasPrice && type !== 'LIMIT_MAKER' ? required(call, 'timeInForce') : 'GTC',
    price: hasPrice ? required(call, 'price') : null,
    stopPrice: type.startsWith('STOP') ? required(call, 'stopPrice') : null,
    borrows: kind !== 'spot' && borrowing.has(params.get('sideEffectType') ?? ''),
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
  const transactTime = Math.floor(nowMs);
  const { symbol, clientOrderId } = request;
  if (type === 'ACK') return { symbol, orderId: id, orderListId: -1, clientOrderId, transactTime };
  const result = { ...spotFields(order), transactTime };
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
