import type { Decimal } from '../../compute/model/decimal.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { TradedAmounts } from '../../compute/model/holding.js';
import type { MarketTick } from '../../compute/model/market-tick.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { MarginMode, TradingAccount } from '../../compute/model/trading-account.js';
import type { ForcedClose, RestingTargets } from '../../compute/signals/execution.js';
import type { AssetAmount } from '../../compute/paper/paper-money.js';
import type { Urgency } from './request-limit.js';
import type { AccountNews } from './venue-user-stream.js';

/** Names an order by the id that Tidemark gave it. */
export interface OrderRef {
  userId: string;
  pair: PairSymbols;
  account: TradingAccount;
  /** On MARGIN, which of the margin accounts: isolated margin has one for each pair. Default: CROSS. */
  marginMode?: MarginMode;
  /** 1 to 36 of a-z and 0-9, unique over all users of the venue. */
  clientOrderId: string;
}

/** What an order asks for. */
export type VenueOrderTerms = Pick<
  VenueOrder,
  'side' | 'type' | 'price' | 'stopPrice' | 'targetPrice' | 'quantity'
>;

/** An order whose place another one takes, and how much of it is filled as far as is known. */
export interface ReplacedRef extends OrderRef, VenueOrderTerms {
  filled: Decimal;
  /** Its id at the venue, as far as it is known. */
  exchangeOrderId?: string | null;
}

/** An order to place. Prices are in quote units, quantities in base units, all on the tick and step of the pair. */
export interface VenueOrder extends OrderRef {
  /** Id of the execution that the order belongs to. */
  owner: string;
  side: 'buy' | 'sell';
  /**
   * `stop`: rests until a price reaches `stopPrice`, then it is a limit order at `price`, or a market order without one. `market`
   * with a price: trades at that price or better at once, and what is left expires ("immediate or cancel").
   */
  type: 'limit' | 'market' | 'stop';
  /** The worst price; null for an order at market. */
  price: Decimal | null;
  /** Required for `stop`, null for the others. */
  stopPrice: Decimal | null;
  /**
   * Of a stop: the limit at which it sells if that price comes first ("one cancels the other"), where `restingTargets` of the venue is
   * `last`. It has one client order id, and is found, cancelled and counted as one order. Absent: it is a stop alone.
   */
  targetPrice?: Decimal;
  quantity: Decimal;
  /**
   * Whether it may only reduce what is held: on MARGIN and FUTURES it never opens a position of the other side. A sale on
   * SPOT always reduces.
   */
  reduces: boolean;
  /** The value of a position as a multiple of its own margin; 1 on SPOT. */
  leverage: number;
  /** The margin that backs the position; ignored on SPOT. */
  marginMode: MarginMode;
  /**
   * The order whose place it takes; absent: it takes none. Where the venue can, both are one request. The old one is cancelled only
   * together with the placement, or left to the caller where both can stand. If more of it is filled than the caller knows, this
   * order is refused. If the exchange refuses this order after the old one was cancelled, the old one is placed again under its id.
   */
  replaces?: ReplacedRef;
  /** Whether the caller knows that the order was never sent or not taken; then it is not looked up first. Default: false. */
  isNew?: boolean;
  /** The time (ms since 1970) after which the order is postponed instead of sent. Default: no limit. */
  sendBefore?: number;
}

/** One trade of an order. */
export interface VenueFill extends TradedAmounts {
  /** Unique over all orders of the venue. */
  tradeId: string;
  /** Funding of the closed quantity, in quote units: received (above 0) or paid. Absent if none is reported. */
  funding?: Decimal;
  /** Fees in any other asset; absent if there are none. */
  otherFees?: readonly AssetAmount[];
  /** When it was traded, in ms since 1970. */
  at: number;
}

export type VenueOrderStatus = 'open' | 'filled' | 'cancelled' | 'expired' | 'rejected';

/** An order as it stands at the venue. `filled` is the sum of its fills. */
export interface VenueOrderState {
  clientOrderId: string;
  exchangeOrderId: string;
  status: VenueOrderStatus;
  filled: Decimal;
  fills: readonly VenueFill[];
  /** Why the venue ended or refused it. */
  reason?: string;
}

/** An open order, and where it stands. */
export interface OpenVenueOrder extends VenueOrderState, Pick<OrderRef, 'pair' | 'account'> {}

/**
 * The balance of an asset on an account: `free` is the part that no order or position reserves. Where an account may borrow, its
 * debt is subtracted from `total`, which may then be below 0.
 */
export interface VenueHolding {
  account: TradingAccount;
  asset: string;
  free: Decimal;
  total: Decimal;
  /** What is owed, with interest; absent: nothing. */
  debt?: Decimal;
}

/** A position on MARGIN or FUTURES; each account has at most one of a pair, or a long and a short where it holds them apart. */
export interface VenuePosition {
  account: TradingAccount;
  pair: PairSymbols;
  /** In base units: above 0 for a long, below 0 for a short; never 0. */
  quantity: Decimal;
  /** 0 where the exchange does not say. */
  entryPrice: Decimal;
  /** The price at which the exchange closes it; null where no price does, or the exchange does not say. */
  liquidationPrice: Decimal | null;
  /** Whether the account holds longs and shorts of the pair apart. Default: false. */
  isHedged?: boolean;
}

/** A trade of an account, of whichever order. */
export interface AccountFill extends VenueFill {
  /** Whether the exchange closed a position by the trade. Absent if it did not, or the venue does not report it. */
  isLiquidation?: boolean;
  /** Why it did; default: the margin was used up. */
  closedBy?: ForcedClose;
  /** Absent where the venue never holds longs and shorts of a pair apart. */
  side?: 'buy' | 'sell';
}

export interface KeyRefusal {
  /** What the venue says where it refuses the key for this, whatever the order is. Absent: it does not. */
  refusedKey?: string;
}

/** The venue did not answer the question; `unknown` says why. Look an order up by its client order id before sending it again. */
export interface VenueSilence extends KeyRefusal {
  unknown: string;
}

/** The free balance of an asset by user id; `VenueSilence` for a user whose balance the venue did not report now. */
export type FreeBalances = Map<string, Decimal | VenueSilence>;

/** An order that was looked up; null: the venue does not know it. */
export type Lookup = VenueOrderState | null | VenueSilence;

/**
 * What became of a placement. `refused`: why the venue did not take the order. `postponed`: why it was not taken now; the
 * order may be placed again as a new one, at `retryAfterMs` the earliest. `unknown`: why it is not
 * known whether the order stands.
 */
export type Placement =
  /** `replaced`: the order whose place it took, as it ended; absent if that is not known. */
  | { state: VenueOrderState; replaced?: VenueOrderState }
  | ({ refused: string } & KeyRefusal)
  | ({ postponed: string; retryAfterMs?: number } & KeyRefusal)
  | VenueSilence;

/** A trade of a market, as its exchange tells it to everyone. */
export interface PairTrade {
  pair: PairSymbols;
  id: string;
  /** As the exchange wrote it; it may be no number. */
  price: string;
  /** The exchange's time in ms; NaN where it tells none. */
  at: number;
}

/** The trades of a market as they happen. When a connection ends, no trades arrive until the next one is open. */
export interface TradeStream {
  /** Names all pairs that matter now; called each second or so. */
  follow(pairs: readonly PairSymbols[]): void;
  /** Since when (ms since 1970) every trade of a pair is streamed; null while it is not streamed. */
  streamedSince(pair: PairSymbols): number | null;
  /** Replaces the connection, because it has missed trades of these pairs. */
  replace(pairs: readonly PairSymbols[]): void;
  close(): void;
}

export interface TradeListener {
  onTrades: (trades: readonly PairTrade[]) => void;
  /** Called with the reason when a connection ends or does not come about. */
  onEnd: (reason: string) => void;
}

/** The highest and lowest price of the trades in a span of time. */
export interface TradedRange {
  high: Decimal;
  low: Decimal;
}

/** A market of a venue, whose prices its orders follow. */
export interface VenueMarket {
  /** Its name among the markets of the service. */
  readonly name: string;
  /** The last prices of pairs, with the exchange's time of each. Pairs that it does not know are left out. */
  ticks(pairs: readonly PairSymbols[]): Promise<MarketTick[]>;
  /** What was traded of a pair in 24 hours, in USDT; null if the exchange does not say. Absent where it is not limited. */
  turnover?(pair: PairSymbols): Promise<Decimal | null>;
  /** The known extremes of a pair since a time (ms since 1970); null without a trade. Absent where the venue never knows them. */
  range?(pair: PairSymbols, sinceMs: number): Promise<TradedRange | null>;
  /** How far the exchange's clock is behind this machine's, in ms. Absent: not at all. */
  lagMs?(): number;
  /** Streams trades as they happen. Absent where prices are polled. */
  stream?(listener: TradeListener): TradeStream;
}

/** The private streams of accounts, which tell of orders and balances. */
export interface AccountStreams {
  /** Names all users whose accounts matter, the most important first; called every few seconds. */
  follow(userIds: readonly string[]): void;
  /** Users whose balances should be read by `holdings`, so that signals need no request for them. */
  unread(): string[];
  close(): void;
}

export interface AccountListener {
  /** Everything on the account of a user is streamed from now on. What happened before has to be read. */
  onOpen: (userId: string) => void;
  onNews: (userId: string, news: AccountNews) => void;
  /** Something may be missed from now on, until it is open again. */
  onGap: (userId: string, reason: string) => void;
}

/** How accounts of a user are read. */
export interface ReadingOptions {
  /** Accounts without which the reading fails with `exchange_refused`. Others that the user's key does not open count as empty. */
  needed?: ReadonlySet<TradingAccount>;
  /** The only accounts to read, and the pairs whose orders matter: exchanges count less for them. Absent: everything. */
  only?: readonly Pick<OrderRef, 'account' | 'pair'>[];
  /** Default `decide`. */
  urgency?: Urgency;
}

export interface BalanceOptions {
  /** The pair whose account on isolated margin is asked for, where each pair has its own. */
  isolated?: PairSymbols | undefined;
  /**
   * The time (ms since 1970) by user from which on a reading of this process still counts, and how old (ms) it may be unless the private
   * streams have told of every change. Absent: the exchange is asked, unless they have, or a request for it is under way.
   */
  readSince?: (userId: string) => number;
  maxAgeMs?: number;
  /** How long (ms) an answer is waited for: later an account is unknown, so that it does not delay the others. Absent: as long as it takes. */
  withinMs?: number | undefined;
}

/** Where orders of users are placed: the paper exchange, or an exchange behind the users' API keys. */
export interface TradingVenue {
  /** Its name in subscriptions and accounts, such as `PAPER`. */
  readonly id: string;

  /** Accounts on which a stop order can rest at the exchange. */
  readonly standingStops: ReadonlySet<TradingAccount>;

  /** The targets that can rest there beside a stop, by account; see `Execution`. Absent: none. */
  readonly restingTargets?: ReadonlyMap<TradingAccount, RestingTargets>;

  /** Accounts that share one wallet; `holdings` lists its assets for each of them. Absent where each account has its own. */
  readonly sharedWallet?: ReadonlySet<TradingAccount>;

  /** Whether `fillsSince` says which trades were liquidations. Each closes a whole position. */
  readonly tellsLiquidations?: boolean;

  /**
   * How long (ms) an order may still arrive after it was last sent. Until then an order that the venue does not know may still
   * appear. Absent where placing an order again returns the order that stands.
   */
  readonly lateMs?: number;

  /** The markets of its accounts. Absent: orders follow the market of the service. */
  readonly markets?: ReadonlyMap<TradingAccount, VenueMarket>;

  /**
   * Called every few seconds while executions are open there. If the exchange has failed, it asks whether it serves again, so that
   * protective orders do not wait longer. Absent where the venue is no server.
   */
  probe?(): Promise<void>;

  /** Opens private streams of accounts. Absent where accounts are only read. */
  streamAccounts?(listener: AccountListener): AccountStreams;

  /** The venue's rules for orders of the pair on an account; null when the pair is not traded there. */
  rules(pair: PairSymbols, account: TradingAccount): Promise<PairRules | null>;

  /** Whether the exchange lists the market and takes no orders for it now, as far as its markets were read. Absent where none is halted. */
  isHalted?(pair: PairSymbols, account: TradingAccount): Promise<boolean>;

  /**
   * What several users have of an asset that no order or position locks, by user; 0 for a user without the asset. Users whose
   * account the venue refuses to show are missing.
   */
  freeBalances(
    userIds: readonly string[],
    asset: string,
    account: TradingAccount,
    options?: BalanceOptions,
  ): Promise<FreeBalances>;

  /**
   * Places orders of any number of users; the answers have the order of `orders`. A client order id that the venue knows
   * already answers the order that stands under it, and places nothing.
   */
  place(orders: readonly VenueOrder[]): Promise<Placement[]>;

  /**
   * Cancels orders and answers them as they stand afterwards; an order that has ended stays as it is. Null for an order that the
   * venue does not know; where it can remember the id, it answers that the order was cancelled, and takes no order of that id.
   */
  cancel(orders: readonly OrderRef[]): Promise<Lookup[]>;

  /** The orders, in the order of `orders`. `urgency`: default `lookUp`; what protects a position waits for the answer as for itself. */
  find(orders: readonly OrderRef[], urgency?: Urgency): Promise<Lookup[]>;

  /** The open orders of a user, the oldest first. */
  openOrders(userId: string, reading?: ReadingOptions): Promise<OpenVenueOrder[]>;

  /** What the user's accounts have of each asset; assets without a balance may be left out. */
  holdings(userId: string, reading?: ReadingOptions): Promise<VenueHolding[]>;

  /** The user's positions on FUTURES, and on MARGIN where the exchange has positions there rather than holdings. */
  positions(userId: string, reading?: ReadingOptions): Promise<VenuePosition[]>;

  /** Whether the user's account on FUTURES holds longs and shorts of the pair apart. Absent where none does. */
  isHedged?(userId: string, pair: PairSymbols): Promise<boolean>;

  /** The trades of one pair on an account at `sinceMs` (ms since 1970) and later, the oldest first. */
  fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]>;
}
