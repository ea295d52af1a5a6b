import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookTrade } from '../book/book-order.js';

/** Conditional orders have ids of their own until they trigger. */
export const algoIdOf = ({ id }: BookOrder): number => 3_000_000_000 + id;

const average = ({ executed, cost }: BookOrder): Decimal =>
  executed.sign > 0 ? cost.dividedBy(executed, 8, 'half-even') : Decimal.zero;

/** The id of the order that a conditional order makes when it triggers. */
const clientIdOf = ({ id, request }: BookOrder): string =>
  request.isAlgo ? `autoalgo-${id}` : request.clientOrderId;

/** An order as the futures API answers it. A conditional order is one once it has triggered. */
export const futuresOrder = (order: BookOrder) => ({
  orderId: order.id,
  symbol: order.request.symbol,
  status: order.status,
  clientOrderId: clientIdOf(order),
  price: String(order.price ?? 0),
  avgPrice: String(average(order)),
  origQty: String(order.quantity),
  executedQty: String(order.executed),
  cumQuote: String(order.cost),
  timeInForce: order.request.timeInForce,
  type: order.price ? 'LIMIT' : 'MARKET',
  reduceOnly: order.request.reduceOnly ?? false,
  side: order.request.side,
  positionSide: order.request.positionSide ?? 'BOTH',
  stopPrice: '0',
  time: order.time,
  updateTime: order.updateTime,
});

/** A conditional order as the futures API answers it. */
export const algoOrder = (order: BookOrder) => ({
  algoId: algoIdOf(order),
  clientAlgoId: order.request.clientOrderId,
  algoType: 'CONDITIONAL',
  orderType: order.request.type,
  symbol: order.request.symbol,
  side: order.request.side,
  positionSide: order.request.positionSide ?? 'BOTH',
  timeInForce: order.request.timeInForce,
  quantity: String(order.quantity),
  algoStatus: algoStatus(order),
  actualOrderId: order.isWorking ? String(order.id) : '',
  triggerPrice: String(order.stopPrice),
  price: String(order.price ?? 0),
  reduceOnly: order.request.reduceOnly ?? false,
  createTime: order.time,
  updateTime: order.updateTime,
});

function algoStatus({ isWorking, isOpen, status }: BookOrder): string {
  if (isWorking) return isOpen ? 'TRIGGERED' : 'FINISHED';
  return status;
}

export const futuresTrade = (trade: BookTrade) => ({
  commission: String(trade.commission),
  commissionAsset: trade.commissionAsset,
  id: trade.id,
  maker: trade.isMaker,
  orderId: trade.orderId,
  price: String(trade.price),
  qty: String(trade.quantity),
  quoteQty: String(trade.quantity.times(trade.price)),
  side: trade.side,
  positionSide: 'BOTH',
  symbol: trade.symbol,
  marginAsset: 'USDT',
  time: trade.time,
});
