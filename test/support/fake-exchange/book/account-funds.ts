import type { Decimal } from '../../../../compute/model/decimal.js';
import type { BookOrder } from './book-order.js';

/** What a fill costs its account. */
export interface FillCost {
  commission: Decimal;
  commissionAsset: string;
  /** Profit of the part of a position that it closed; 0 on spot. */
  realized: Decimal;
}

/** A part of an order that trades. */
export interface FillPart {
  quantity: Decimal;
  price: Decimal;
  isMaker: boolean;
}

/** The money of one account in one market: what it may order, and what a fill changes. */
export interface AccountFunds {
  /** Throws the exchange's refusal when the account cannot have the order. `price`: the market's. */
  admit(order: BookOrder, open: readonly BookOrder[], price: Decimal): void;
  /** The most of the order that may trade now. */
  mostOf(order: BookOrder): Decimal;
  fill(order: BookOrder, part: FillPart): FillCost;
  /** Total amounts by asset. */
  readonly totals: ReadonlyMap<string, Decimal>;
  /** Adds to an asset, or takes from it: a deposit or withdrawal. */
  add(asset: string, amount: Decimal): void;
}

/** Places of an amount that the exchange books. */
export const bookedPlaces = 8;

export const absolute = (value: Decimal): Decimal => (value.sign < 0 ? value.negated() : value);
