import { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';

export interface LeveragedPosition {
  side: TradeSide;
  entry: Decimal;
  quantity: Decimal;
  /** What stands behind the position in quote units: its own margin (isolated), or all of the account (cross). */
  backing: Decimal;
  /** The share of the worth that has to remain, as a fraction below 1. */
  maintenanceRate: Decimal;
}

/**
 * The price at which what is left of the backing only just covers the maintenance margin: backing + gain = rate * worth.
 * For a long (entry * quantity - backing) / (quantity * (1 - rate)), for a short (entry * quantity + backing) /
 * (quantity * (1 + rate)): the formula of linear contracts with one tier of margin; fees, funding and other positions left
 * out. Rounded towards the entry, to so many places. Null where no price above 0 liquidates, and of no quantity.
 */
export function liquidationPrice(
  { side, entry, quantity, backing, maintenanceRate }: LeveragedPosition,
  places: number,
): Decimal | null {
  if (quantity.sign === 0) return null;
  const worth = entry.times(quantity);
  const price =
    side === 'long'
      ? worth.minus(backing).dividedBy(quantity.times(Decimal.one.minus(maintenanceRate)), places, 'ceil')
      : worth.plus(backing).dividedBy(quantity.times(Decimal.one.plus(maintenanceRate)), places, 'floor');
  return price.sign > 0 ? price : null;
}
