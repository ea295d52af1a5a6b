import type { Exchange, Market, Order, Trade } from 'ccxt';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { ForcedClose, RestingTargets } from '../../compute/signals/execution.js';
import type { OrderRef, VenueOrder } from './trading-venue.js';
import type { WalletAsset } from './venue-wallets.js';

/** An account of isolated margin. Amounts are as the exchange wrote them. */
export interface IsolatedAccount {
  /** The name of its market in ccxt. */
  symbol: string;
  /** The quantity of the base asset, less the debt in it. */
  baseNet: unknown;
  /** The quantity of the quote asset that no order locks. */
  quoteFree: unknown;
  /** The price at which the exchange closes it; 0 for none. */
  liquidationPrice: unknown;
  /** Whether open orders lock a part of it. */
  isLocked: boolean;
}

export interface IsolatedMargin<Client extends Exchange = Exchange> {
  accounts(client: Client): Promise<IsolatedAccount[]>;
  /** Every open order on the account of a market. */
  openOrders(client: Client, symbol: string): Promise<Order[]>;
}

/** The last price of a market, and the exchange's time of it in ms. */
export interface LastPrice {
  symbol: string;
  /** As the exchange wrote it. */
  last: unknown;
  /** The best prices of the book, where the answer has them. */
  bid?: unknown;
  ask?: unknown;
  at: number;
}

/** An order, with the name of its market in ccxt. */
export type SymbolRef = Pick<OrderRef, 'account' | 'clientOrderId' | 'marginMode'> & { symbol: string };

/** The trades of an account since a time. */
export interface TradesSince {
  trades: Trade[];
  /** The ids of orders by which the exchange has closed a position, and why. */
  forced: ReadonlyMap<string, ForcedClose>;
}

export type PriceBand = Pick<
  PairRules,
  'leastBuyRatio' | 'leastSellRatio' | 'mostBuyRatio' | 'mostSellRatio'
>;

/** A position as ccxt lists it, as far as it is read; amounts as the exchange wrote them. */
export type ListedPosition = Partial<
  Record<'symbol' | 'contracts' | 'side' | 'entryPrice' | 'liquidationPrice' | 'hedged' | 'info', unknown>
>;

/** How orders are placed at an exchange and found again, as far as exchanges differ. */
export interface VenueTrading<Client extends Exchange = Exchange> {
  /** Accounts on which it takes orders. */
  accounts: ReadonlySet<TradingAccount>;
  /** Accounts on which a stop order can rest there. */
  standingStops: ReadonlySet<TradingAccount>;
  /** See `TradingVenue`. */
  restingTargets: ReadonlyMap<TradingAccount, RestingTargets>;
  /** The kinds of markets, in ccxt's words, that these accounts trade. */
  marketTypes: readonly string[];
  /** How far the prices of orders on a market may be from it. Left out where the exchange does not say. */
  priceBand?(market: Market & object): PriceBand;
  /** The largest quantity of an order at market, in the market's units. Left out where ccxt tells it. */
  mostAtMarket?(market: Market & object): unknown;
  /** See `PairRules`, on spot and margin. */
  feesIn: 'base' | 'quote';
  /** How long after its signature the exchange accepts a request, by its own clock, in ms. */
  receiveWindowMs: number;
  /** Sets the receive window and how ccxt reads accounts, before the first request of a client. */
  prepareClient(client: Client): void;
  /** Whether the account holds longs and shorts of a market on FUTURES apart ("hedge mode"). */
  isHedged(client: Client, symbol: string): Promise<boolean>;
  /**
   * Parameters of `createOrder` beside symbol, type, side, amount and price; the client order id is among them. `isHedged`: as above;
   * false on other accounts.
   */
  orderParams(order: VenueOrder, isHedged: boolean): Record<string, unknown>;
  /**
   * The order of a client order id; null where the exchange lists none. Where it answers an error for that, it throws, and
   * `answerMeaning` tells.
   */
  findOrder(client: Client, ref: SymbolRef): Promise<Order | null>;
  /**
   * Cancels the order of a client order id, if it is open. It is looked up afterwards, unless the answer tells how it ended. Throws as
   * `findOrder` does.
   */
  cancelOrder(client: Client, ref: SymbolRef): Promise<Order | undefined>;
  /**
   * Cancels an order of SPOT and places another in its stead, in one request that does neither if the old one does not stand
   * without any fill. Left out where there is no such request; orders are cancelled and placed one after the other then.
   */
  replaceOrder?(client: Client, order: VenueOrder, terms: SymbolRef & { replaced: string }): Promise<Order>;
  /** Places an order that is stop and target in one. Left out where `restingTargets` is nowhere `last`. */
  placePair?(client: Client, order: VenueOrder, symbol: string): Promise<Order>;
  /** Every open order on an account; or at least those on these markets, where that costs less. */
  openOrders(client: Client, account: TradingAccount, symbols?: readonly string[]): Promise<Order[]>;
  /** Why the exchange ended or refused an order. Left out where its orders do not tell. */
  reasonOf?(order: Order): string | undefined;
  /**
   * Whether the exchange has taken a stop order to wait for the other direction, because its price was passed already. Left
   * out where the exchange refuses such an order.
   */
  waitsForWrongSide?(order: Order): boolean;
  /** The trades of an order. */
  tradesOf(client: Client, order: Order, ref: SymbolRef): Promise<Trade[]>;
  tradesSince(client: Client, ref: Omit<SymbolRef, 'clientOrderId'>, sinceMs: number): Promise<TradesSince>;
  /** The accounts of isolated margin, which has one for each pair; absent where Tidemark does not trade on them. */
  isolated?: IsolatedMargin<Client>;
  /** The assets of an account that ccxt does not read; null for an account that ccxt reads. Left out where ccxt reads all of them. */
  holdings?(client: Client, account: TradingAccount): Promise<WalletAsset[] | null>;
  /** The positions on FUTURES. Left out where ccxt reads them by one request. */
  positions?(client: Client): Promise<ListedPosition[]>;
  /** Parameters of `fetchBalance`, and of `fetchPositions` on FUTURES. */
  accountParams(account: TradingAccount): Record<string, unknown>;
  /** Readies a position on MARGIN or FUTURES for an order that may open it: leverage, and what backs it. */
  preparePosition(client: Client, order: VenueOrder, symbol: string): Promise<unknown>;
  /** Whether preparing an order on one market changes the margin of positions on others; then every order is prepared. */
  isPreparedEachTime?: boolean;
  /**
   * Why no orders can be placed for the account of the client; null if they can. Left out where nothing stands against it, or
   * where the permissions of the key tell.
   */
  objection?(client: Client): Promise<string | null>;
  /**
   * Options of ccxt that say what kind of account it is, for the kind that is traded on: used while the exchange does not tell. Without
   * them ccxt asks before the next order. Left out where there is one kind.
   */
  assumedOptions?: Readonly<Record<string, unknown>>;
  /** The last prices of markets of one account. Left out where `fetchTickers` tells their times. */
  lastPrices?(client: Client, symbols: readonly string[], account: TradingAccount): Promise<LastPrice[]>;
  /** Accounts that have one wallet. Left out where each has its own. */
  sharedWallet?: ReadonlySet<TradingAccount>;
}
