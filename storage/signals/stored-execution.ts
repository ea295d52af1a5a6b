import type { ExecutionStatus, OrderSide, OrderTerms } from '../../compute/signals/execution.js';
import type { MarginMode, TradingAccount } from '../../compute/model/trading-account.js';
import type { ExecutionJson } from './execution-json.js';
import type { StepFault } from './step-fault.js';

/** One trade of an order, as it is stored. */
export interface StoredFill {
  tradeId: string;
  quantity: string;
  price: string;
  baseFee: string;
  quoteFee: string;
  /** See `VenueFill`. */
  funding?: string;
  /** Fees in any other asset. */
  otherFees?: { asset: string; amount: string }[];
  at: Date;
}

/**
 * `planned`: the exchange does not have the order; it is sent at `retryAt`. `sent`: the exchange may have the order. `unknown`: the
 * exchange did not say; the order is looked up. The other statuses come from the exchange.
 */
export type StoredOrderStatus =
  | 'planned'
  | 'sent'
  | 'unknown'
  | 'open'
  | 'partly_filled'
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'expired';

/** An order of an execution. Prices and quantities are decimals. */
export interface StoredOrder {
  /** See `clientOrderIdOf`. */
  clientOrderId: string;
  leg: string;
  revision: number;
  side: OrderSide;
  type: OrderTerms['type'];
  price: string | null;
  stopPrice: string | null;
  /** See `OrderTerms`. */
  targetPrice?: string;
  quantity: string;
  reduces: boolean;
  /** The order whose place it takes, which stands until the exchange has taken this one; absent: it takes none. */
  replaces?: { clientOrderId: string; filled: string };
  status: StoredOrderStatus;
  /** Whether it has to be cancelled on the exchange. */
  cancelWanted: boolean;
  exchangeOrderId: string | null;
  filled: string;
  fills: StoredFill[];
  createdAt: Date;
  updatedAt: Date;
  /** Since when the exchange may have it; absent before. */
  sentAt?: Date;
  /** When the last request to place it had left, if no answer came: the exchange takes that request for `TradingVenue.lateMs` more. */
  leftAt?: Date | null;
  /** When the exchange first said that it has it; absent before. */
  acknowledgedAt?: Date;
  /** How often in a row the exchange did not know it, counted from when it cannot arrive any more. */
  missed?: number;
  /** How often the exchange was asked without an answer. */
  attempts: number;
  /** When the exchange is asked again, if it did not answer. */
  retryAt: Date | null;
  reason: string | null;
}

/** A line of the timeline: what happened, why in words, and the figures that it moved. */
export interface ExecutionLine {
  at: Date;
  type: string;
  cause: string;
  figures: Record<string, string>;
}

/** A price that crossed a watched level, and the range since the price before it. */
export interface CrossingTick {
  price: string;
  high: string;
  low: string;
  /** The venue's times of the start of the range and of the price. */
  since: Date;
  at: Date;
}

/** What the price watch compares with each price. */
export interface StoredLevels {
  /** See `WatchedPrices`. */
  worse: string | null;
  better: string | null;
  /** Whether the next price matters, whatever it is. */
  everyTick: boolean;
  /** The venue's time (ms since 1970) at which a command has set levels last; absent: none has. */
  setMs?: number;
}

/** What a comparison tells of the market of a position: a line of its timeline each time it changes. */
export type MarketLine = 'market_halted' | 'not_traded' | 'traded_again';

/** Differences that a comparison with the exchange has found and that the execution is to apply. */
export interface ObservedDifferences {
  /** Client order ids of orders that the exchange shows otherwise than they are stored, whatever their status here. */
  lookUp: string[];
  /** The quantity of the position at the exchange, as a decimal; null if it is at least what the execution holds. */
  held: string | null;
  /** Whether less is owed than was sold short: the exchange may have closed the short. Absent: no. */
  isOwedLess?: true;
  /** What happened to the account, for the timeline; null if nothing did. */
  line: { type: 'account_paused' | 'account_resumed' | MarketLine; cause: string } | null;
}

/** A part of the executions of a partner, which is advanced by one worker at a time. */
export interface PartnerSlot {
  partnerId: string;
  slot: number;
}

/** A signal as it is executed for one subscriber. One document holds all of it, so that each write is whole or not there. */
export interface StoredExecution extends PartnerSlot {
  /** `${signalId}:${subscriptionId}`: one for each signal and subscriber, so a delivery made twice inserts once. */
  id: string;
  signalId: string;
  channelId: string;
  subscriptionId: string;
  userId: string;
  exchange: string;
  account: TradingAccount;
  marginMode: MarginMode;
  /** The market whose prices it follows. */
  market: string;
  /** Such as "BTC/USDT". */
  pair: string;
  status: ExecutionStatus;
  reason: string | null;
  /** null: it was skipped before it was planned. */
  state: ExecutionJson | null;
  /** The market price when the signal was delivered, as a decimal; absent: none was known. */
  deliveryPrice?: string;
  /** What its entries invest, in percent of the quote balance, as a decimal. */
  investPercent: string;
  /** How many of the signal's commands it has applied. */
  commandsDone: number;
  /** null: no price matters. */
  watched: StoredLevels | null;
  /** Prices that crossed its levels and are not applied yet, oldest first. */
  crossings: CrossingTick[];
  /** Time of the last price that was applied. */
  seenAt: Date | null;
  orders: StoredOrder[];
  events: ExecutionLine[];
  /** A request of the user that is not done yet: `close` cancels all orders and closes the position. */
  wish: 'close' | null;
  /** Differences that are not applied yet. */
  observed?: ObservedDifferences | null;
  /** null: the last step succeeded. */
  fault: StepFault | null;
  /** When it is to be advanced; null while nothing is due. */
  dueAt: Date | null;
  /** Every write raises it and names the one it was read with: of two writers at once, one is refused. */
  revision: number;
  createdAt: Date;
  endedAt: Date | null;
  /** When its trade is to be booked, once it has ended; null while nothing is to be booked. */
  bookAt: Date | null;
  /** Its owner goes on with its position and orders: nothing makes it due again. Absent: no. */
  isHandedOver?: true;
}

const endedOrders: readonly StoredOrderStatus[] = ['filled', 'cancelled', 'rejected', 'expired'];

/** Whether nothing more happens to the order on the exchange. */
export const isOrderEnded = ({ status }: Pick<StoredOrder, 'status'>): boolean =>
  endedOrders.includes(status);

/** Whether it has ended and is not looked up again: one that ended without the exchange may still arrive for some seconds. */
export const isOrderOver = (order: Pick<StoredOrder, 'status' | 'retryAt'>): boolean =>
  isOrderEnded(order) && order.retryAt === null;
