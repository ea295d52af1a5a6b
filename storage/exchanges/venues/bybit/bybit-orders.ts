import type { bybit as Bybit, Order } from 'ccxt';
import type { TradingAccount } from '../../../../compute/model/trading-account.js';
import type { SymbolRef } from '../../venue-trading.js';

const pageSize = 50;

/**
 * The order of a client order id, the newest where it was used again; null where the exchange lists none. Open orders and the last 500 that have ended are
 * listed at once, unless the exchange was restarted; its history follows later.
 */
export async function findBybitOrder(
  client: Bybit,
  { symbol, clientOrderId: orderLinkId }: SymbolRef,
): Promise<Order | null> {
  const recent = await client.fetchOpenOrders(symbol, undefined, undefined, { orderLinkId });
  // ccxt lists the oldest first.
  if (recent.length > 0) return withWholeStatus(recent.at(-1)!);
  const ended = await client.fetchCanceledAndClosedOrders(symbol, undefined, undefined, { orderLinkId });
  return ended.length > 0 ? withWholeStatus(ended.at(-1)!) : null;
}

/**
 * Every open order on an account, page by page. Orders on MARGIN are those that may borrow, and sales: what sells a long there borrows
 * nothing, as a sale on SPOT.
 */
export async function openBybitOrders(client: Bybit, account: TradingAccount): Promise<Order[]> {
  const kind = account === 'FUTURES' ? { type: 'swap', subType: 'linear' } : { type: 'spot' };
  const orders: Order[] = [];
  for (let cursor: string | undefined, size = pageSize; size === pageSize;) {
    const params = { ...kind, ...(cursor && { cursor }) };
    const page = await client.fetchOpenOrders(undefined, undefined, pageSize, params);
    orders.push(...page);
    const { nextPageCursor = '' } = (page.find(hasCursor)?.info ?? {}) as Cursor;
    cursor = nextPageCursor;
    size = cursor === '' ? 0 : page.length;
  }
  if (account === 'FUTURES') return orders;
  const isSpot = account === 'SPOT';
  return orders.filter((each) => mayBorrow(each) !== isSpot || (!isSpot && each.side === 'sell'));
}

/** Whether the order is a stop whose price was not reached yet. */
export const isWaitingStop = ({ info }: Order): boolean =>
  (info as { orderStatus?: string }).orderStatus === 'Untriggered';

interface Cursor {
  nextPageCursor?: string;
}

const hasCursor = ({ info }: Order): boolean => (info as Cursor).nextPageCursor !== undefined;

const mayBorrow = ({ info }: Order): boolean => (info as { isLeverage?: string }).isLeverage === '1';

/** ccxt calls an order closed of which a part was traded and the rest cancelled. */
const withWholeStatus = (order: Order): Order =>
  (order.info as { orderStatus?: string }).orderStatus === 'PartiallyFilledCanceled'
    ? { ...order, status: 'canceled' }
    : order;
