import { Decimal } from './decimal.js';

/** How much of an asset is held and what it has cost, in the quote currency; the average price is their quotient. */
export interface Holding {
  readonly quantity: Decimal;
  readonly cost: Decimal;
}

/** What a trade moved, with its fees in the two assets of the pair. */
export interface TradedAmounts {
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly baseFee: Decimal;
  readonly quoteFee: Decimal;
}

/** A trade as it was booked. A fee in any other asset than the pair's two has no price here and is left out. */
export interface Fill extends TradedAmounts {
  readonly side: 'buy' | 'sell';
}

/** Decimal places of a cost after a division: far more than any exchange uses. */
const places = 18;

export const nothingHeld: Holding = { quantity: Decimal.zero, cost: Decimal.zero };

/**
 * The holding after a fill, by average cost. A purchase adds its quantity and its value: a fee in the quote currency raises
 * the cost, and a fee in the asset itself lowers the quantity. A sale takes away its share of the cost; its price does not
 * matter. A sale of more than is held leaves nothing.
 */
export function afterFill(held: Holding, { side, quantity, price, baseFee, quoteFee }: Fill): Holding {
  if (side === 'sell') return reducedTo(held, held.quantity.minus(quantity).minus(baseFee));
  return {
    quantity: held.quantity.plus(quantity).minus(baseFee),
    cost: held.cost.plus(quantity.times(price)).plus(quoteFee),
  };
}

/** The holding when only `quantity` of it is left, at the same average price. It never grows. */
export function reducedTo(held: Holding, quantity: Decimal): Holding {
  if (quantity.sign <= 0) return nothingHeld;
  if (quantity.compare(held.quantity) >= 0) return held;
  const cost = held.cost.times(quantity).dividedBy(held.quantity, places, 'half-even');
  return { quantity, cost };
}

/** The holding after `quantity` was added to it at a cost of `price` each. */
export const increasedBy = (held: Holding, quantity: Decimal, price: Decimal): Holding => ({
  quantity: held.quantity.plus(quantity),
  cost: held.cost.plus(quantity.times(price)),
});
