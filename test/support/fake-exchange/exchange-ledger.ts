import type { MatchingEngine } from './book/matching-engine.js';

/** All that has happened on the exchange. Numbers are decimals as text. */
export type ExchangeLedger = ReturnType<typeof ledgerOf>;
export type LedgerOrder = ExchangeLedger['orders'][number];
export type LedgerTrade = ExchangeLedger['trades'][number];

/** The ledger of some accounts, or of all. */
export function ledgerOf(engine: MatchingEngine, apiKeys?: readonly string[]) {
  const isAsked = (apiKey: string) => apiKeys?.includes(apiKey) ?? true;
  return {
    orders: engine.orders
      .filter(({ request }) => isAsked(request.account))
      .map(({ id, request, quantity, executed, status, time, updateTime }) => {
        const { kind, account: apiKey, symbol, clientOrderId, side, type } = request;
        const { price = null, stopPrice = null } = request;
        const amounts = { price, stopPrice, quantity: String(quantity), executed: String(executed) };
        // `updateTime`: when it changed last.
        const state = { status, time, updateTime };
        return { id, kind, apiKey, symbol, clientOrderId, side, type, ...amounts, ...state };
      }),
    trades: engine.trades
      .filter(({ account }) => isAsked(account))
      .map(({ id, orderId, kind, account: apiKey, symbol, side, time, commissionAsset, ...amounts }) => ({
        ...{ id, orderId, kind, apiKey, symbol, side, time, commissionAsset },
        quantity: String(amounts.quantity),
        price: String(amounts.price),
        commission: String(amounts.commission),
      })),
    /** What moved wallets beside trades. */
    entries: engine.entries
      .filter(({ account }) => isAsked(account))
      .map(({ id, account: apiKey, kind, type, asset, amount, symbol, time }) => ({
        ...{ id, apiKey, kind, type, asset, amount: String(amount), symbol, time },
      })),
    /** What each account has: amounts by asset, and positions by symbol. */
    accounts: [...engine.accounts]
      .filter(([apiKey]) => isAsked(apiKey))
      .map(([apiKey, { spot, margin, futures }]) => ({
        apiKey,
        spot: textsOf(spot.totals),
        margin: textsOf(margin.totals),
        futures: textsOf(futures.totals),
        positions: textsOf(
          futures.positions.map(({ symbol, positionSide, quantity }) => [
            positionSide === 'BOTH' ? symbol : `${symbol} ${positionSide}`,
            quantity,
          ]),
        ),
      })),
  };
}

const textsOf = (amounts: Iterable<[string, { toString(): string }]>): Record<string, string> =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
