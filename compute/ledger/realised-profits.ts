import { Decimal } from '../model/decimal.js';
import type { Fill } from '../model/holding.js';
import { quotientPlaces } from '../model/pair-rules.js';

/** A fee and its value in the quote asset; null if no price of its asset was known. */
export interface ValuedFee {
  readonly asset: string;
  readonly amount: Decimal;
  readonly value: Decimal | null;
}

/** A fill of an order. Prices are in quote units, `at` in ms since 1970. */
export interface LedgerFill extends Fill {
  /** Fees in any other asset. */
  readonly otherFees: readonly ValuedFee[];
  readonly at: number;
}

/** What is held, and its cost in quote units. For a short both are below 0, and the cost is what its sales brought in. */
export interface OpenPosition {
  readonly quantity: Decimal;
  readonly cost: Decimal;
}

/** The profit (above 0) or loss of a fill, in quote units. */
export interface RealisedProfit {
  readonly at: number;
  readonly profit: Decimal;
}

const nothing: OpenPosition = { quantity: Decimal.zero, cost: Decimal.zero };

/**
 * The profit that each fill realises, net of fees, and what is left open, by average cost (IAS 2, paragraph 27: weighted
 * average cost; `compute/model/holding.ts` does the same). A fill that opens or adds realises nothing: its fees are part of
 * the cost. A fill that reduces realises its proceeds less its share of the cost. Fees in another asset count at their value;
 * one of unknown value does not count. Once nothing is left, the sum is the change of the quote balance.
 */
export function realisedProfits(fills: readonly LedgerFill[]): {
  profits: RealisedProfit[];
  left: OpenPosition;
} {
  let left = nothing;
  const profits: RealisedProfit[] = [];
  for (const fill of fills) {
    const booked = book(left, fill);
    left = booked.left;
    profits.push({ at: fill.at, profit: booked.profit });
  }
  return { profits, left };
}

/**
 * Books a fill. A fill on the other side reduces the position. A quantity beyond the position does not come from it, so it counts
 * at the price of the fill and earns nothing.
 */
function book(held: OpenPosition, fill: LedgerFill): { left: OpenPosition; profit: Decimal } {
  const base = baseChange(fill);
  const quote = quoteChange(fill);
  if (held.quantity.sign * base.sign >= 0)
    return {
      left: { quantity: held.quantity.plus(base), cost: held.cost.minus(quote) },
      profit: Decimal.zero,
    };
  const quantity = held.quantity.plus(base);
  if (quantity.sign * held.quantity.sign <= 0)
    return { left: nothing, profit: quote.minus(held.cost).plus(quantity.times(fill.price)) };
  const cost = held.cost.times(quantity).dividedBy(held.quantity, quotientPlaces, 'half-even');
  return { left: { quantity, cost }, profit: quote.minus(held.cost.minus(cost)) };
}

const baseChange = ({ side, quantity, baseFee }: LedgerFill): Decimal =>
  (side === 'buy' ? quantity : quantity.negated()).minus(baseFee);

/** The change of the quote asset by a fill, with fees in other assets at their value. */
function quoteChange({ side, quantity, price, quoteFee, otherFees }: LedgerFill): Decimal {
  const value = quantity.times(price);
  const fees = otherFees.reduce((sum, fee) => sum.plus(fee.value ?? Decimal.zero), quoteFee);
  return (side === 'sell' ? value : value.negated()).minus(fees);
}
