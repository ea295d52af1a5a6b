import type { Decimal } from '../model/decimal.js';
import type { TradeSide } from '../model/risk-assessment.js';

/** Whether `price` is at `level` or has moved past it in the direction that loses money: down for a long, up for a short. */
export const isAtOrWorse = (side: TradeSide, price: Decimal, level: Decimal): boolean =>
  side === 'long' ? price.compare(level) <= 0 : price.compare(level) >= 0;

/** Whether `price` is at `level` or has moved past it in the direction that earns money: up for a long, down for a short. */
export const isAtOrBetter = (side: TradeSide, price: Decimal, level: Decimal): boolean =>
  side === 'long' ? price.compare(level) >= 0 : price.compare(level) <= 0;

/** The price that is better for the side. */
export const betterPrice = (side: TradeSide, one: Decimal, other: Decimal): Decimal =>
  isAtOrBetter(side, one, other) ? one : other;

/** `price` moved by `distance` (0 or above) in the direction that loses money. */
export const worsenedBy = (side: TradeSide, price: Decimal, distance: Decimal): Decimal =>
  side === 'long' ? price.minus(distance) : price.plus(distance);

/** The side of orders that reduce the position. */
export const exitSideOf = ({ side }: { readonly side: TradeSide }): 'buy' | 'sell' =>
  side === 'long' ? 'sell' : 'buy';
