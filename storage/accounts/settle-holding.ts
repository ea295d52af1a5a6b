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

/** Decimal places to which a cost is stored. */
export const costPlaces = 18;

export type SettledHolding = Pick<StoredHolding, 'quantity' | 'cost' | 'basis'>;

/**
 * Adjusts a holding to the balance on the exchange. Fills since the last time are booked first. A decrease without a fill (a
 * withdrawal) reduces the cost in proportion. An increase without a fill (a deposit) is added at the present price, and the
 * basis becomes `since_connection`. Without a price the cost is null until there is one.
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

/** The holding at its cost, or at the price if the cost is unknown; null if both are unknown. */
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
