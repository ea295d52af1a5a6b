import type { BookOrderStatus } from './book/book-order.js';
import type { MatchingEngine } from './book/matching-engine.js';
import type { BookKind } from './book/traded-pair.js';

/** An order as the ledger tells it. Numbers are decimals as text. */
export interface LedgerOrder {
  id: number;
  kind: BookKind;
  apiKey: string;
  symbol: string;
  clientOrderId: string;
  side: 'BUY' | 'SELL';
  type: string;
  price: string | null;
  stopPrice: string | null;
  quantity: string;
  executed: string;
  status: BookOrderStatus;
  time: number;
  /** When it changed last. */
  updateTime: number;
}

export interface LedgerTrade {
  id: number;
  orderId: number;
  kind: BookKind;
  apiKey: string;
  symbol: string;
  side: 'BUY' | 'SELL';
  quantity: string;
  price: string;
  commission: string;
  commissionAsset: string;
  time: number;
}

/** What an account has: amounts by asset, and positions by symbol. */
export interface LedgerAccount {
  apiKey: string;
  spot: Record<string, string>;
  margin: Record<string, string>;
  futures: Record<string, string>;
  positions: Record<string, string>;
}

/** What moved a wallet beside trades. */
export interface LedgerLine {
  id: number;
  apiKey: string;
  kind: 'margin' | 'isolated' | 'futures';
  type: 'transfer' | 'funding' | 'interest';
  asset: string;
  amount: string;
  symbol: string | null;
  time: number;
}

/** All that has happened on the exchange. */
export interface ExchangeLedger {
  orders: LedgerOrder[];
  trades: LedgerTrade[];
  entries: LedgerLine[];
  accounts: LedgerAccount[];
}

/** The ledger of some accounts, or of all. */
export function ledgerOf(engine: MatchingEngine, apiKeys?: readonly string[]): ExchangeLedger {
  const isAsked = (apiKey: string) => apiKeys === undefined || apiKeys.includes(apiKey);
  return {
    orders: engine.orders
      .filter(({ request }) => isAsked(request.account))
      .map(({ id, request, quantity, executed, status, time, updateTime }) => {
        const { kind, account: apiKey, symbol, clientOrderId, side, type, price, stopPrice } = request;
        const terms = { kind, apiKey, symbol, clientOrderId, side, type, price, stopPrice };
        return {
          id,
          ...terms,
          quantity: String(quantity),
          executed: String(executed),
          status,
          time,
          updateTime,
        };
      }),
    trades: engine.trades
      .filter(({ account }) => isAsked(account))
      .map(({ id, orderId, kind, account: apiKey, symbol, side, time, commissionAsset, ...amounts }) => ({
        ...{ id, orderId, kind, apiKey, symbol, side, time, commissionAsset },
        quantity: String(amounts.quantity),
        price: String(amounts.price),
        commission: String(amounts.commission),
      })),
    entries: engine.entries
      .filter(({ account }) => isAsked(account))
      .map(({ id, account: apiKey, kind, type, asset, amount, symbol, time }) => ({
        ...{ id, apiKey, kind, type, asset, amount: String(amount), symbol, time },
      })),
    accounts: [...engine.accounts]
      .filter(([apiKey]) => isAsked(apiKey))
      .map(([apiKey, { spot, margin, futures }]) => ({
        apiKey,
        spot: textsOf(spot.totals),
        margin: textsOf(margin.totals),
        futures: textsOf(futures.totals),
        positions: textsOf(
          new Map(
            futures.positions.map(({ symbol, positionSide, quantity }) => [
              positionSide === 'BOTH' ? symbol : `${symbol} ${positionSide}`,
              quantity,
            ]),
          ),
        ),
      })),
  };
}

const textsOf = (amounts: ReadonlyMap<string, { toString(): string }>): Record<string, string> =>
  Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
