import type { BookOrder, OrderRequest } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import {
  newClientId,
  ordersOf as accountOrders,
  placed,
  required,
  type Endpoint,
  type RestCall,
} from '../rest/rest-call.js';
import { weekMs } from './bybit-account-endpoints.js';
import { bybitExecution, bybitOrder, bybitOrderId, cursorPage } from './bybit-rows.js';

/** Orders and executions of all categories. */
export const bybitOrderEndpoints: Record<string, Endpoint> = {
  'POST /v5/order/create': (call) => ackOf(placed(call, requestOf(call))),

  'POST /v5/order/cancel': (call) => {
    const [order] = ordersOf(call);
    const isStop = order?.stopPrice !== null && order?.request.kind !== 'futures';
    // A stop order on spot is another kind of order than a plain one.
    const isKind = !isSpot(call) || isStop === (call.params.get('orderFilter') === 'tpslOrder');
    if (!order || !isKind) throw new ExchangeRefusal(-2011, 'Unknown order sent.');
    if (!order.isOpen) throw new ExchangeRefusal(isSpot(call) ? 170142 : 110001, 'Order has been canceled.');
    return ackOf(call.apply({ type: 'cancel', orderId: order.id })!);
  },

  // Named orders are listed whatever has become of them; those that ended before a restart are not.
  'GET /v5/order/realtime': (call) =>
    orderPage(call, ({ isOpen, updateTime }) => isOpen || (isNamed(call) && updateTime >= call.startedAtMs)),

  'GET /v5/order/history': (call) => orderPage(call, ({ isOpen }) => !isOpen),

  'GET /v5/execution/list': (call) => {
    const orders = new Map(ordersOf(call).map((order) => [order.id, order]));
    const inTime = isNamed(call) ? () => true : spanOf(call);
    const rows = call
      .trades()
      .filter(({ orderId, time }) => orders.has(orderId) && inTime(time))
      .map((trade) => bybitExecution(trade, orders.get(trade.orderId)!))
      .reverse();
    return listOf(call, rows, { usual: 50, most: 100 });
  },
};

const orderPage = (call: RestCall, isListed: (order: BookOrder) => boolean) =>
  listOf(call, ordersOf(call).filter(isListed).map(bybitOrder), { usual: 20, most: 50 });

const listOf = (call: RestCall, rows: readonly object[], sizes: Record<'usual' | 'most', number>) => ({
  category: call.params.get('category'),
  ...cursorPage(call, rows, sizes),
});

const ackOf = (order: BookOrder) => ({
  orderId: bybitOrderId(order),
  orderLinkId: order.request.clientOrderId,
});

const isSpot = (call: RestCall): boolean => categoryOf(call) === 'spot';

function categoryOf(call: RestCall): 'spot' | 'linear' {
  const category = required(call, 'category');
  if (category !== 'spot' && category !== 'linear') throw new ExchangeRefusal(10001, 'Illegal category');
  return category;
}

/** Orders of the account in the category, or only that which a call names, the newest first. */
const ordersOf = (call: RestCall): BookOrder[] =>
  accountOrders(call, isSpot(call) ? ['spot', 'margin'] : ['futures'])
    .filter(named(call))
    .reverse();

const isNamed = ({ params }: RestCall): boolean => params.has('orderId') || params.has('orderLinkId');

/** Whether it is the order that a call names; all are if it names none. */
const named =
  ({ params }: RestCall) =>
  (order: BookOrder): boolean => {
    const [id, clientOrderId] = [params.get('orderId'), params.get('orderLinkId')];
    if (id !== null) return bybitOrderId(order) === id;
    return clientOrderId === null || order.request.clientOrderId === clientOrderId;
  };

/** A span of time of at most 7 days; without one, the last 7 days. */
function spanOf({ params, nowMs }: RestCall): (time: number) => boolean {
  const [from, until] = [params.get('startTime'), params.get('endTime')];
  const start = from === null ? (until === null ? nowMs : Number(until)) - weekMs : Number(from);
  const end = until === null ? start + weekMs : Number(until);
  if (end - start > weekMs) throw new ExchangeRefusal(10001, 'The time range is more than 7 days');
  return (time) => time >= start && time <= end;
}

function requestOf(call: RestCall): OrderRequest {
  const { params, engine, apiKey: account } = call;
  const symbol = required(call, 'symbol');
  engine.pairOf(symbol);
  const isLinear = !isSpot(call);
  const orderType = required(call, 'orderType');
  const hasStop = params.has('triggerPrice');
  const isPurchase = orderType === 'Market' && params.get('side') === 'Buy';
  if (!isLinear && isPurchase && params.get('marketUnit') !== 'baseCoin')
    throw new ExchangeRefusal(170140, 'the quantity of a purchase at market counts in the quote asset');
  const isLimit = orderType === 'Limit';
  const plain = isLimit ? 'LIMIT' : 'MARKET';
  const stop = isLinear ? (isLimit ? 'STOP' : 'STOP_MARKET') : isLimit ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS';
  const clientOrderId = params.get('orderLinkId') ?? newClientId();
  if (!/^[A-Za-z0-9_-]{1,36}$/.test(clientOrderId))
    throw new ExchangeRefusal(10001, 'orderLinkId is invalid');
  const positionSide = isLinear
    ? ([undefined, 'LONG', 'SHORT'] as const)[Number(params.get('positionIdx') ?? 0)]
    : undefined;
  return {
    ...(positionSide && { positionSide }),
    ...{ account, symbol, clientOrderId, type: hasStop ? stop : plain, isAlgo: isLinear && hasStop },
    kind: isLinear ? 'futures' : params.get('isLeverage') === '1' ? 'margin' : 'spot',
    side: required(call, 'side') === 'Buy' ? 'BUY' : 'SELL',
    timeInForce: params.get('timeInForce') ?? 'GTC',
    price: isLimit ? required(call, 'price') : null,
    stopPrice: hasStop ? required(call, 'triggerPrice') : null,
    quantity: required(call, 'qty'),
    reduceOnly: isLinear && params.get('reduceOnly') === 'true',
    borrows: params.get('isLeverage') === '1',
    basePrice: String(engine.priceOf(symbol)),
    ...(hasStop && { triggerDirection: directionOf(call, isLinear) }),
  };
}

/** On spot the exchange goes by the present price. */
function directionOf(call: RestCall, isLinear: boolean): 'rise' | 'fall' {
  if (isLinear) return required(call, 'triggerDirection') === '1' ? 'rise' : 'fall';
  if (call.params.get('orderFilter') !== 'tpslOrder')
    throw new ExchangeRefusal(170202, 'Invalid orderFilter parameter.');
  const price = Number(String(call.engine.priceOf(required(call, 'symbol'))));
  return Number(required(call, 'triggerPrice')) > price ? 'rise' : 'fall';
}
