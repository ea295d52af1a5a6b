import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookTrade } from '../book/book-order.js';

/** A decimal as Binance writes it on spot: with eight places. */
export const eightPlaces = (value: Decimal | null): string => fixedPlaces(value ?? Decimal.zero, 8);

/** A decimal with all its places, at least eight. */
export const wholeAmount = (value: Decimal): string =>
  fixedPlaces(value, Math.max(8, String(value).split('.')[1]?.length ?? 0));

/** A decimal with a number of places. */
function fixedPlaces(value: Decimal, places: number): string {
  const [whole, part = ''] = value.round(places, 'half-even').toString().split('.');
  return places === 0 ? whole : `${whole}.${part.padEnd(places, '0')}`;
}

/** What all answers about an order on spot have. */
export const spotFields = ({ id, listId, request, price, quantity, executed, cost, status }: BookOrder) => ({
  symbol: request.symbol,
  orderId: id,
  orderListId: listId,
  clientOrderId: request.clientOrderId,
  price: eightPlaces(price),
  origQty: eightPlaces(quantity),
  executedQty: eightPlaces(executed),
  cummulativeQuoteQty: eightPlaces(cost),
  status,
  timeInForce: request.timeInForce,
  type: request.type,
  side: request.side,
});

/** An order on spot as queries and lists answer it. */
export const spotOrder = (order: BookOrder) => ({
  ...spotFields(order),
  stopPrice: eightPlaces(order.stopPrice),
  time: order.time,
  updateTime: order.updateTime,
});

/** A trade on spot as the list of an account's trades has it. */
export const spotTrade = (trade: BookTrade) => ({
  symbol: trade.symbol,
  id: trade.id,
  orderId: trade.orderId,
  price: eightPlaces(trade.price),
  qty: eightPlaces(trade.quantity),
  quoteQty: eightPlaces(trade.price.times(trade.quantity)),
  commission: eightPlaces(trade.commission),
  commissionAsset: trade.commissionAsset,
  time: trade.time,
  isBuyer: trade.side === 'BUY',
  isMaker: trade.isMaker,
});
