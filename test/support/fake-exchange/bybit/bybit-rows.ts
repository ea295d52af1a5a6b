import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder, BookTrade } from '../book/book-order.js';
import { numberIn, type RestCall } from '../rest/rest-call.js';

const zero = Decimal.zero;

/** The id of an order: text, as Bybit's are. */
export const bybitOrderId = ({ id }: { id: number }): string => `order-${String(id).padStart(9, '0')}`;

/** 0: one-way mode, 1 and 2: the two sides of hedge mode. */
export const positionIdxOf = (side: string | undefined): number =>
  side === 'LONG' ? 1 : side === 'SHORT' ? 2 : 0;

/** A page of a list; the cursor is the place of the next. */
export function cursorPage(
  call: RestCall,
  rows: readonly object[],
  { usual, most }: Record<'usual' | 'most', number>,
) {
  const start = numberIn(call, 'cursor', 0);
  const end = start + Math.min(most, numberIn(call, 'limit', usual));
  return { nextPageCursor: end < rows.length ? String(end) : '', list: rows.slice(start, end) };
}

const sides = { BUY: 'Buy', SELL: 'Sell' } as const;

function orderStatus({ status, isWorking, stopPrice, executed, request }: BookOrder): string {
  if (status === 'FILLED') return 'Filled';
  if (status === 'PARTIALLY_FILLED') return 'PartiallyFilled';
  if (status === 'NEW') return isWorking ? 'New' : 'Untriggered';
  if (stopPrice && !isWorking) return 'Deactivated';
  return executed.sign > 0 && request.kind !== 'futures' ? 'PartiallyFilledCanceled' : 'Cancelled';
}

const rejectReasons: Partial<Record<BookOrder['status'], string>> = {
  CANCELED: 'EC_PerCancelRequest',
  EXPIRED: 'EC_NoImmediateQtyToFill',
};

/** An order as lists have it. */
export function bybitOrder(order: BookOrder) {
  const { request, price, stopPrice, quantity, executed, cost, left, trades } = order;
  const isLinear = request.kind === 'futures';
  const fees = new Map<string, Decimal>();
  for (const { commissionAsset, commission } of trades)
    fees.set(commissionAsset, (fees.get(commissionAsset) ?? zero).plus(commission));
  return {
    orderId: bybitOrderId(order),
    orderLinkId: request.clientOrderId,
    symbol: request.symbol,
    price: String(price ?? 0),
    qty: String(quantity),
    side: sides[request.side],
    isLeverage: isLinear ? '' : request.kind === 'margin' ? '1' : '0',
    positionIdx: positionIdxOf(request.positionSide),
    orderStatus: orderStatus(order),
    rejectReason: rejectReasons[order.status] ?? 'EC_NoError',
    ...(isLinear && { cancelType: order.status === 'CANCELED' ? 'CancelByUser' : 'UNKNOWN' }),
    avgPrice: executed.sign > 0 ? String(cost.dividedBy(executed, 8, 'half-even')) : '',
    leavesQty: String(order.isOpen ? left : 0),
    cumExecQty: String(executed),
    cumExecValue: String(cost),
    timeInForce: request.timeInForce,
    orderType: price ? 'Limit' : 'Market',
    stopOrderType: stopPrice ? (isLinear ? 'Stop' : 'tpslOrder') : '',
    triggerPrice: stopPrice ? String(stopPrice) : '',
    triggerDirection: isLinear && stopPrice ? (request.triggerDirection === 'rise' ? 1 : 2) : 0,
    reduceOnly: request.reduceOnly ?? false,
    createdTime: String(order.time),
    updatedTime: String(order.updateTime),
    cumFeeDetail: Object.fromEntries([...fees].map(([asset, fee]) => [asset, String(fee)])),
    ...(isLinear
      ? { createType: 'CreateByUser' }
      : { basePrice: request.basePrice, marketUnit: price ? '' : 'baseCoin' }),
  };
}

/** A trade as the list of executions has it. */
export function bybitExecution(trade: BookTrade, { request, price, quantity }: BookOrder) {
  const isSettled = request.clientOrderId.startsWith('settlement_autoclose-');
  const isForced = isSettled || request.clientOrderId.startsWith('autoclose-');
  return {
    symbol: trade.symbol,
    orderId: bybitOrderId({ id: trade.orderId }),
    orderLinkId: isForced ? '' : request.clientOrderId,
    side: sides[trade.side],
    orderPrice: String(price ?? 0),
    orderQty: String(quantity),
    leavesQty: '0',
    orderType: price ? 'Limit' : 'Market',
    stopOrderType: 'UNKNOWN',
    execFee: String(trade.commission),
    execId: `execution-${String(trade.id).padStart(9, '0')}`,
    execPrice: String(trade.price),
    execQty: String(trade.quantity),
    execType: isSettled ? 'Delivery' : isForced ? 'BustTrade' : 'Trade',
    execValue: String(trade.price.times(trade.quantity)),
    execTime: String(trade.time),
    feeCurrency: trade.commissionAsset,
    isMaker: trade.isMaker,
    feeRate: '0.001',
    seq: trade.id,
    ...(trade.kind === 'futures' && { createType: 'CreateByUser' }),
  };
}
