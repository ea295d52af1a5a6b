import { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';

export interface LeveragedPosition {
  side: TradeSide;
  entry: Decimal;
  quantity: Decimal;
  /** The backing of the position in quote units: its own margin (isolated), or the whole account (cross). */
  backing: Decimal;
  /** The maintenance margin as a share of the value of the position, a fraction below 1. */
  maintenanceRate: Decimal;
}

/**
 * The price at which the rest of the backing equals the maintenance margin: backing + gain = rate * value.
 * For a long (entry * quantity - backing) / (quantity * (1 - rate)), for a short (entry * quantity + backing) /
 * (quantity * (1 + rate)): the formula of linear contracts with one margin tier, without fees, funding and other
 * positions. Rounded towards the entry, to `places`. Null where no price above 0 liquidates, and for a quantity of 0.
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
