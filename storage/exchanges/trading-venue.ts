import type { Decimal } from '../../compute/model/decimal.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';

/** Names an order by the id that Tidemark gave it. */
export interface OrderRef {
  userId: string;
  pair: PairSymbols;
  /** 1 to 36 of a-z and 0-9, unique over all users of the venue. */
  clientOrderId: string;
}

/** An order to place. Prices are in quote units, quantities in base units, all on the tick and step of the pair. */
export interface VenueOrder extends OrderRef {
  /** Id of the execution that the order belongs to. */
  owner: string;
  side: 'buy' | 'sell';
  /** `stop`: rests until a price reaches `stopPrice`, then it is a limit order at `price`, or a market order without one. */
  type: 'limit' | 'market' | 'stop';
  /** The worst price; null for an order at market. */
  price: Decimal | null;
  /** Required for `stop`, null for the others. */
  stopPrice: Decimal | null;
  quantity: Decimal;
  /** Whether it may only reduce what is held. */
  reduces: boolean;
}

/** One trade of an order. Fees in any other asset than the pair's two are not listed. */
export interface VenueFill {
  /** Unique over all orders of the venue. */
  tradeId: string;
  quantity: Decimal;
  price: Decimal;
  baseFee: Decimal;
  quoteFee: Decimal;
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

/**
 * What became of a placement. `refused`: the venue did not take it, and why. `unknown`: it may or may not stand, and why;
 * look it up by its client order id before anything else is sent.
 */
export type Placement = { state: VenueOrderState } | { refused: string } | { unknown: string };

/** Where orders of users are placed: the paper exchange, or an exchange behind the users' API keys. */
export interface TradingVenue {
  /** Its name in subscriptions and accounts, such as `PAPER`. */
  readonly id: string;

  /** What it requires of orders of the pair; null when the pair is not traded there. */
  rules(pair: PairSymbols): Promise<PairRules | null>;

  /** What several users have of an asset that no open order locks, by user; 0 for a user without the asset. */
  freeBalances(userIds: readonly string[], asset: string): Promise<Map<string, Decimal>>;

  /**
   * Places orders of any number of users; the answers have the order of `orders`. A client order id that the venue knows
   * already answers the order that stands under it, and places nothing.
   */
  place(orders: readonly VenueOrder[]): Promise<Placement[]>;

  /**
   * Cancels orders and answers them as they stand afterwards; an order that has ended stays as it is. Null for an order that the
   * venue does not know.
   */
  cancel(orders: readonly OrderRef[]): Promise<(VenueOrderState | null)[]>;

  /** The orders, in the order of `orders`; null for one that the venue does not know. */
  find(orders: readonly OrderRef[]): Promise<(VenueOrderState | null)[]>;

  /** Every open order of a user, the oldest first. */
  openOrders(userId: string): Promise<VenueOrderState[]>;
}
