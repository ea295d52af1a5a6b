import type { kucoin as Kucoin, Order } from 'ccxt';
import type { TradingAccount } from '../../../../compute/model/trading-account.js';
import { inAccount } from '../../in-account.js';
import type { SymbolRef } from '../../venue-trading.js';

/** The kinds of orders on margin in KuCoin's words. */
const tradeTypes = { CROSS: 'MARGIN_TRADE', ISOLATED: 'MARGIN_ISOLATED_TRADE' } as const;
const longestPage = 1_000;

/** The order of a client order id; null where the answer has none. */
export async function findKucoinOrder(client: Kucoin, ref: SymbolRef): Promise<Order | null> {
  const params = { ...inAccount(ref), clientOid: ref.clientOrderId };
  const order = await client.fetchOrder('', ref.symbol, params);
  return order.id && isInAccount(order, ref) ? withWholeStatus(order) : null;
}

/** Cross and isolated margin have their orders in one list. */
function isInAccount({ info }: Order, { account, marginMode = 'CROSS' }: SymbolRef): boolean {
  const { tradeType } = info as { tradeType?: string };
  return account !== 'MARGIN' || tradeType === undefined || tradeType === tradeTypes[marginMode];
}

/** Every open order on an account. Orders on spot and margin are listed by market, those on futures with their stops apart. */
export async function openKucoinOrders(
  client: Kucoin,
  account: TradingAccount,
  asked?: readonly string[],
): Promise<Order[]> {
  if (account === 'FUTURES') {
    const [plain, stops] = await Promise.all([
      openFutures(client, {}),
      openFutures(client, { trigger: true }),
    ]);
    return [...plain, ...stops].map(withWholeStatus);
  }
  const symbols = asked ?? (await activeSymbols(client, account));
  const pages = await Promise.all(symbols.map((symbol) => openOrdersOfMarket(client, { account, symbol })));
  return pages.flat();
}

/** The open orders of a market on spot or one of the margin accounts. */
export async function openOrdersOfMarket(
  client: Kucoin,
  { symbol, ...place }: Pick<SymbolRef, 'account' | 'marginMode' | 'symbol'>,
): Promise<Order[]> {
  const orders = await client.fetchOpenOrders(symbol, undefined, undefined, inAccount(place));
  return orders.map(withWholeStatus);
}

async function openFutures(client: Kucoin, more: object): Promise<Order[]> {
  const orders: Order[] = [];
  for (let currentPage = 1, size = longestPage; size === longestPage; currentPage++) {
    const params = { type: 'swap', pageSize: longestPage, currentPage, ...more };
    const page = await client.fetchOpenOrders(undefined, undefined, undefined, params);
    orders.push(...page);
    size = page.length;
  }
  return orders;
}

async function activeSymbols(client: Kucoin, account: 'SPOT' | 'MARGIN'): Promise<readonly string[]> {
  const answer = (await (account === 'SPOT'
    ? client.privateGetHfOrdersActiveSymbols()
    : client.privateGetHfMarginOrderActiveSymbols({ tradeType: tradeTypes.CROSS }))) as SymbolsAnswer;
  return (answer.data?.symbols ?? []).map((id) => client.safeSymbol(id, undefined, '-'));
}

interface SymbolsAnswer {
  data?: { symbols?: string[] } | null;
}

/** ccxt calls an order cancelled of which a part was cancelled while the rest is still open. */
function withWholeStatus(order: Order): Order {
  const { active, isActive } = order.info as { active?: boolean; isActive?: boolean };
  return (active ?? isActive) === true ? { ...order, status: 'open' } : order;
}
