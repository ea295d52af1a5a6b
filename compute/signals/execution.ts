import { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';
import type { PairRules } from '../model/pair-rules.js';

export type ExecutionStatus =
  | 'queued'
  | 'entry_pending'
  | 'open'
  | 'closing'
  | 'closed'
  | 'expired'
  | 'cancelled'
  | 'skipped'
  | 'rejected';

/** How an execution has ended. */
export type ExecutionOutcome = Extract<
  ExecutionStatus,
  'closed' | 'expired' | 'cancelled' | 'skipped' | 'rejected'
>;

/** `waiting`: for its price; `armed`: its order is due or stands; `done`: filled; `withdrawn`: it trades no more. */
export type LegState = 'waiting' | 'armed' | 'done' | 'withdrawn';

/** A stop that follows the best price since its activation at a constant distance. */
export interface TrailingTerms {
  /** The price at which it sells, at its activation. */
  readonly trigger: Decimal;
  /** The worst price of the sale, at its activation. */
  readonly limit: Decimal;
}

/** One purchase of a position (a sale, for a short). */
export interface EntryLeg {
  readonly id: string;
  /** Only entries open a position; rebuys and DCA levels add to one. */
  readonly kind: 'entry' | 'rebuy' | 'dca';
  readonly type: 'limit' | 'market';
  /** The worst price of the order. */
  readonly price: Decimal;
  /** The other end of the zone, or null for a zone without one. */
  readonly zoneEnd: Decimal | null;
  /** The worst price of its order since it was armed: `price`, or that of the subscriber's slippage if it is better. */
  readonly worst?: Decimal;
  /** What is invested, in quote units and without leverage. */
  readonly amount: Decimal;
  readonly state: LegState;
  /** What the leg buys in total; null until it is armed. */
  readonly quantity: Decimal | null;
  readonly filled: Decimal;
  /** The value of its fills, in quote units; absent: the value of `filled` at `price`. */
  readonly filledValue?: Decimal;
  /** A trailing stop for the whole position, active from the first fill of this leg. */
  readonly stop: TrailingTerms | null;
  /** The venue's time (ms since 1970) at which a command has set it: earlier prices do not reach it. Absent: every price counts. */
  readonly setAt?: number;
}

/** One sale of a part of a position (a purchase, for a short). */
export interface ExitLeg {
  readonly id: string;
  readonly type: 'limit' | 'market';
  readonly price: Decimal;
  /** Percent of the position at the time of the sale; null: an even share with the targets that follow. */
  readonly percent: Decimal | null;
  readonly state: LegState;
  readonly quantity: Decimal | null;
  readonly filled: Decimal;
  /** A trailing stop for the rest, active once this leg is armed. */
  readonly stop: TrailingTerms | null;
  /** When (ms since 1970) its sale was tried last, from its order on once there is one, until its price counts again; see `turnTargets`. Null or absent: its price counts. */
  readonly triedAt?: number | null;
  /** See `EntryLeg`. */
  readonly setAt?: number;
}

/** The stop of the whole position. */
export interface Stop {
  readonly trigger: Decimal;
  /** The worst price of its order; null: at market. */
  readonly limit: Decimal | null;
  /** Null for a stop that does not move; otherwise how far it follows behind the best price. */
  readonly trailing: { readonly distance: Decimal; readonly best: Decimal } | null;
  /** See `EntryLeg`. */
  readonly setAt?: number;
}

/** How a position is closed: at market, or not below a price (above, for a short). */
export interface ClosePlan {
  readonly limit: Decimal | null;
  readonly outcome: ExecutionOutcome;
  readonly cause: string;
  /** From this time (ms since 1970) on it is sold at market, whatever the limit; null or absent: there is no limit. */
  readonly limitUntil?: number | null;
  /** Until this time (ms since 1970) the stop order on the exchange is left to sell; null: it is replaced at once. */
  readonly leaveToStopUntil: number | null;
}

export type OrderSide = 'buy' | 'sell';

/** Why an exchange closes a position by itself: its margin is used up, others are at risk, or the contract is traded no more. */
export type ForcedClose = 'liquidation' | 'deleveraging' | 'settlement';

export type RestingTargets = 'all' | 'last';

/**
 * The terms of an order. `stop` orders rest on the exchange and become a limit or market order at `stopPrice`. A `market` order with a
 * price takes what is offered there or better at once, and its rest ends.
 */
export interface OrderTerms {
  readonly leg: string;
  readonly side: OrderSide;
  readonly type: 'limit' | 'market' | 'stop';
  /** The worst price; null for an order at market whatever the price. */
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  /** Of a stop: the limit at which the same order sells if that price comes first. Absent: it is a stop alone. */
  readonly targetPrice?: Decimal;
  readonly quantity: Decimal;
  /** Whether it may only reduce the position. */
  readonly reduces: boolean;
}

/** Names an order of an execution. */
export interface OrderName {
  readonly leg: string;
  readonly revision: number;
}

export interface ReplacedOrder extends OrderName {
  readonly filled: Decimal;
}

/** An order that was requested and is not settled: it is open, or fills of it have not arrived yet. */
export interface StandingOrder extends OrderTerms {
  readonly revision: number;
  /**
   * The exit order whose place it takes, with the filled quantity from which its own follows; absent: it takes none. The exchange
   * takes the order only if not more than that is filled.
   */
  readonly replaces?: ReplacedOrder;
  readonly filled: Decimal;
  readonly state: 'placed' | 'cancelling' | 'ended';
  /** Whether it has sold at its target: then its stop is gone. */
  readonly isAtTarget?: boolean;
  /** The filled quantity that the exchange reported at its end; null before. The order is settled once its fills have arrived. */
  readonly filledAtEnd: Decimal | null;
}

/** What was bought and sold so far. Fees in the base asset lower the quantity; fees in the quote asset are summed apart. */
export interface HeldPosition {
  readonly quantity: Decimal;
  readonly entered: Decimal;
  readonly exited: Decimal;
  /** Value of the entries and of the exits, in quote units. */
  readonly entryValue: Decimal;
  readonly exitValue: Decimal;
  readonly quoteFees: Decimal;
  /** Funding received (above 0) or paid, in quote units. */
  readonly funding: Decimal;
}

/** A signal as it is executed for one subscriber. Prices are in quote units, quantities in base units. */
export interface Execution {
  readonly side: TradeSide;
  readonly leverage: number;
  readonly rules: PairRules;
  readonly status: ExecutionStatus;
  readonly entries: readonly EntryLeg[];
  readonly targets: readonly ExitLeg[];
  readonly stop: Stop | null;
  /** A trailing stop that was given before the first fill, which activates it. */
  readonly pendingStop: TrailingTerms | null;
  /** The time (ms since 1970) at which the entries are withdrawn; null: never. */
  readonly entriesEndAt: number | null;
  /** Whether the stop stands on the exchange as an order while the position is open. */
  readonly stopOnExchange: boolean;
  /**
   * Which targets stand on the exchange beside the stop: all, as orders of their own that only reduce, or the last one, in one order
   * with the stop. Absent: none; a target is ordered when its price is reached.
   */
  readonly restingTargets?: RestingTargets;
  /** The shortest time, in ms, between two moves of the stop order while the stop follows the price; absent: 0. */
  readonly stopMoveMs?: number;
  /** When the stop order was placed, in ms since 1970; null or absent: it can be replaced at once. */
  readonly stopPlacedAt?: number | null;
  /** Whether entries wait because the user or the operator has halted them. */
  readonly isHalted: boolean;
  /** The most that may be invested, in quote units and without leverage. */
  readonly maxInvested: Decimal;
  /** How far an entry may be above the price at its order (below, for a short), in percent; absent: as far as the signal allows. */
  readonly maxSlippagePercent?: Decimal;
  /** What the signal's own entries invest. */
  readonly invested: Decimal;
  readonly position: HeldPosition;
  readonly orders: readonly StandingOrder[];
  /** Revision of the newest order by leg. */
  readonly revisions: Readonly<Record<string, number>>;
  /**
   * By leg, the number of refused orders in a row, and when the order is placed again (ms since 1970). `pair`: a stop in one order with
   * a target was refused, and stands alone until then.
   */
  readonly refusals: Readonly<Record<string, { readonly count: number; readonly retryAt: number }>>;
  readonly tradeIds: readonly string[];
  readonly lastPrice: Decimal | null;
  readonly close: ClosePlan | null;
}

export const noPosition: HeldPosition = {
  quantity: Decimal.zero,
  entered: Decimal.zero,
  exited: Decimal.zero,
  entryValue: Decimal.zero,
  exitValue: Decimal.zero,
  quoteFees: Decimal.zero,
  funding: Decimal.zero,
};

/** The statuses of an execution that has not ended. */
export const openStatuses: readonly ExecutionStatus[] = ['queued', 'entry_pending', 'open', 'closing'];

/** Whether the execution has ended; no event makes it trade again. */
export const isEnded = ({ status }: Pick<Execution, 'status'>): boolean => !openStatuses.includes(status);

export const hasEntered = ({ position }: Execution): boolean => position.entered.sign > 0;

/** Whether an entry waits for its price, or its order is due or stands. */
export const awaitsEntry = ({ entries }: Pick<Execution, 'entries'>): boolean =>
  entries.some(({ kind, state }) => kind === 'entry' && (state === 'waiting' || state === 'armed'));

/**
 * By how much a fill changes the quantity of a position. A fee in the base asset lowers what a purchase brings in; that of the sale
 * which opens a short is not owed.
 */
export function positionChange(
  side: TradeSide,
  { isEntry, quantity, baseFee }: { isEntry: boolean; quantity: Decimal; baseFee: Decimal },
): Decimal {
  if (side === 'long') return (isEntry ? quantity : quantity.negated()).minus(baseFee);
  return isEntry ? quantity : baseFee.minus(quantity);
}

/** Average entry price in quote units; null before the first entry. */
export const averageEntry = ({ position }: Execution, places = 18): Decimal | null =>
  position.entered.sign > 0 ? position.entryValue.dividedBy(position.entered, places, 'half-even') : null;
