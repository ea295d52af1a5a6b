import { Decimal } from '../model/decimal.js';
import type { TradedAmounts } from '../model/holding.js';
import type { PairSymbols } from '../model/market-pair.js';

/** An order as the paper exchange has accepted it. Prices are in quote units, quantities in base units. */
export interface PaperOrder {
  readonly id: string;
  readonly pair: PairSymbols;
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market' | 'stop';
  /** The worst price at which it is filled; null for an order at market whatever the price. */
  readonly price: Decimal | null;
  /** Set only for `stop`. */
  readonly stopPrice: Decimal | null;
  readonly quantity: Decimal;
  /** The highest price that a purchase may pay, which it has locked for each unit. Null for a sale. */
  readonly bound: Decimal | null;
  /** When it was accepted, in ms since 1970. */
  readonly placedAt: number;
}

/** A trade of an order, with the fees in the asset that it received. */
export interface PaperFill extends TradedAmounts {
  /**
   * The part of the funding of its position, received (above 0) or paid, that belongs to the quantity that it closes; absent:
   * none. The wallet has it already.
   */
  readonly funding?: Decimal;
}

/** How an order ends: filled in whole, cancelled by its owner, or ended by the exchange. */
export type PaperEnd = 'filled' | 'cancelled' | 'expired';

/**
 * An event of an order. Events are numbered within the order, so that each is booked once. `triggered`: the price of a stop
 * order was reached, and nothing was filled yet.
 */
export interface PaperEvent {
  readonly number: number;
  readonly kind: 'fill' | 'triggered' | 'end';
  readonly fill: PaperFill | null;
  /** How the order ended with this event; null if it is still open. */
  readonly end: PaperEnd | null;
  /** Why the exchange ended the order. */
  readonly reason: string | null;
  /** The time of the tick or of the cancellation, in ms since 1970. */
  readonly at: number;
}

/** The progress of an order. */
export interface PaperProgress {
  readonly filled: Decimal;
  readonly isTriggered: boolean;
  readonly end: PaperEnd | null;
  readonly reason: string | null;
  readonly next: number;
  /** The time of its last event; null before the first. */
  readonly lastAt: number | null;
}

/** The progress of an order with these events, in the order of their numbers. */
export function progressOf(events: readonly PaperEvent[]): PaperProgress {
  const last = events.at(-1);
  return {
    filled: events.reduce((sum, { fill }) => (fill ? sum.plus(fill.quantity) : sum), Decimal.zero),
    isTriggered: events.some(({ kind }) => kind !== 'end'),
    end: last?.end ?? null,
    reason: last?.reason ?? null,
    next: events.length,
    lastAt: last?.at ?? null,
  };
}
