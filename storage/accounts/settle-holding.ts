import { Decimal } from '../../compute/model/decimal.js';
import {
  afterFill,
  increasedBy,
  nothingHeld,
  reducedTo,
  type Fill,
  type Holding,
} from '../../compute/model/holding.js';
import type { CostBasis, StoredHolding } from './accounts.js';

/** Places kept of a cost. */
export const costPlaces = 18;

/** Quantity, cost and basis of a holding. */
export type SettledHolding = Pick<StoredHolding, 'quantity' | 'cost' | 'basis'>;

/**
 * A holding brought to the balance that there is: the fills since it was last settled are booked, what is gone without a
 * fill takes its share of the cost along, and what has come without one is taken on at the price of the moment; from then
 * on its cost is one "since connection". Without a price there is no cost until there is one.
 */
export function settleHolding(
  known: SettledHolding | null,
  fills: readonly Fill[],
  balance: Decimal,
  price: Decimal | null,
): SettledHolding {
  const before = known && costed(known, price);
  if (known && !before) return { quantity: String(balance), cost: null, basis: 'since_connection' };
  const basis = known?.basis ?? 'average';
  const held = fills.reduce(afterFill, before ?? nothingHeld);
  const excess = balance.minus(held.quantity);
  if (excess.sign <= 0) return stored(reducedTo(held, balance), basis);
  if (!price) return { quantity: String(balance), cost: null, basis: 'since_connection' };
  return stored(increasedBy(held, excess, price), 'since_connection');
}

/** What was held, at its cost; at the price where none is known; null where no price is known either. */
function costed({ quantity, cost }: SettledHolding, price: Decimal | null): Holding | null {
  const held = Decimal.read(quantity);
  if (cost !== null) return { quantity: held, cost: Decimal.read(cost) };
  return price && { quantity: held, cost: held.times(price) };
}

const stored = ({ quantity, cost }: Holding, basis: CostBasis): SettledHolding => ({
  quantity: String(quantity),
  cost: String(cost.round(costPlaces, 'half-even')),
  basis,
});
