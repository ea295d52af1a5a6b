import type { Exchange, Order, Trade } from 'ccxt';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import type { OrderRef, VenueOrder } from './trading-venue.js';

/**
 * What an answer that is no success says of an order. `refused`: the exchange has not taken it, and would not take it again.
 * `postponed`: it has not taken it now. `duplicate`: it has one of this client order id. `not_found`: it knows none.
 * `unknown`: the answer does not say what has happened.
 */
export type OrderVerdict = 'refused' | 'postponed' | 'duplicate' | 'not_found' | 'unknown';

/** An order, with the name of its market in ccxt. */
export type SymbolRef = Pick<OrderRef, 'account' | 'clientOrderId'> & { symbol: string };

/** How orders are placed at an exchange and found again, as far as exchanges differ. */
export interface VenueTrading<Client extends Exchange = Exchange> {
  /** Accounts on which it takes orders. */
  accounts: ReadonlySet<TradingAccount>;
  /** Accounts on which a stop order can rest there. */
  standingStops: ReadonlySet<TradingAccount>;
  /** The kinds of markets, in ccxt's words, that these accounts trade. */
  marketTypes: readonly string[];
  /** How long after its signature the exchange accepts a request, by its own clock, in ms. */
  receiveWindowMs: number;
  /** Sets the receive window and how ccxt reads accounts, before the first request of a client. */
  prepareClient(client: Client): void;
  /** Parameters of `createOrder` beside symbol, type, side, amount and price; the client order id is among them. */
  orderParams(order: VenueOrder): Record<string, unknown>;
  /** The order of a client order id. Throws where the exchange answers that it knows none; `judge` tells. */
  findOrder(client: Client, ref: SymbolRef): Promise<Order>;
  /** Cancels the order of a client order id. Throws as `findOrder` does. */
  cancelOrder(client: Client, ref: SymbolRef): Promise<unknown>;
  /** The trades of an order. */
  tradesOf(client: Client, order: Order, ref: SymbolRef): Promise<Trade[]>;
  /** The trades of an account since a time, with the client order ids of their orders by order id. */
  tradesSince(
    client: Client,
    ref: Omit<SymbolRef, 'clientOrderId'>,
    sinceMs: number,
  ): Promise<{ trades: Trade[]; clientOrderIds: ReadonlyMap<string, string> }>;
  /** Parameters of `fetchBalance` and `fetchOpenOrders`. */
  accountParams(account: TradingAccount): Record<string, unknown>;
  /** Readies a position on MARGIN or FUTURES for an order that may open it: leverage, and what backs it. */
  preparePosition(client: Client, order: VenueOrder, symbol: string): Promise<unknown>;
  judge(answer: ExchangeAnswer): OrderVerdict;
}
