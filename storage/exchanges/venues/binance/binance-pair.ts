import type { binance as Binance, Order } from 'ccxt';
import type { SymbolRef } from '../../venue-trading.js';
import type { VenueOrder } from '../../trading-venue.js';

/**
 * Orders on SPOT that are stop and target in one: "New Order list - OCO" of the spot API, a LIMIT_MAKER above and a stop below the
 * price, of which "activation of one order immediately cancels the other". The stop has the client order id of the order, the target
 * that id with an ending.
 */
const targetEnding = '-tp';

/** The client order id of the whole order, from that of one of its halves. */
export const wholeId = (clientOrderId: string): string =>
  clientOrderId.endsWith(targetEnding) ? clientOrderId.slice(0, -targetEnding.length) : clientOrderId;

export const targetIdOf = (clientOrderId: string): string => clientOrderId + targetEnding;

export async function placeBinancePair(client: Binance, order: VenueOrder, symbol: string): Promise<Order> {
  const { side, price, stopPrice, targetPrice, quantity, clientOrderId } = order;
  const [stop, target] = side === 'sell' ? ['below', 'above'] : ['above', 'below'];
  const market = client.market(symbol);
  const { orderReports } = (await client.privatePostOrderListOco({
    symbol: market.id,
    side: side.toUpperCase(),
    quantity: String(quantity),
    [`${target}Type`]: 'LIMIT_MAKER',
    [`${target}Price`]: String(targetPrice),
    [`${target}ClientOrderId`]: targetIdOf(clientOrderId),
    [`${stop}Type`]: price ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS',
    [`${stop}StopPrice`]: String(stopPrice),
    [`${stop}ClientOrderId`]: clientOrderId,
    ...(price && {
      [`${stop}Price`]: String(price),
      [`${stop}TimeInForce`]: 'GTC',
    }),
    newOrderRespType: 'RESULT',
  })) as { orderReports: { clientOrderId: string }[] };
  const placed = orderReports.find((each) => each.clientOrderId === clientOrderId);
  return client.parseOrder(placed ?? {}, market);
}

/**
 * The order of a client order id as the answer to its cancellation tells it ("Cancel order" and "Cancel Order list" of the spot API), which
 * has the reports of both halves, or one. A stop that could be cancelled had no trade, nor had its target: that would have ended the stop.
 */
export function cancelledOrder(client: Binance, answered: Order, clientOrderId: string): Order {
  const { orderReports = [] } = answered.info as { orderReports?: { origClientOrderId?: string }[] };
  const own = orderReports.find(({ origClientOrderId }) => origClientOrderId === clientOrderId);
  return { ...(own ? client.parseOrder(own) : answered), clientOrderId };
}

/** The half that tells how the order stands: the target once the stop has ended without a trade. */
export async function tellingHalf(
  client: Binance,
  stop: Order,
  { clientOrderId, symbol }: Omit<SymbolRef, 'account'>,
): Promise<Order> {
  const { orderListId = -1 } = stop.info as { orderListId?: string | number };
  if (Number(orderListId) === -1 || stop.status === 'open' || Number(stop.filled) > 0) return stop;
  const target = await client.fetchOrder('', symbol, { origClientOrderId: targetIdOf(clientOrderId) });
  return { ...target, clientOrderId };
}

/** Open orders with one row for both halves: that of the stop, as long as it stands. */
export function withWholePairs(orders: readonly Order[]): Order[] {
  const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  return orders
    .filter(
      ({ clientOrderId = '' }) =>
        wholeId(clientOrderId) === clientOrderId || !ids.has(wholeId(clientOrderId)),
    )
    .map((order) => ({ ...order, clientOrderId: wholeId(order.clientOrderId ?? '') }));
}
