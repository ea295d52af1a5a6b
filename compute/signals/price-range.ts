import type { Decimal } from '../model/decimal.js';
import type { Execution } from './execution.js';
import type { ExecutionTick } from './execution-event.js';

/** A price, and the extremes since the previous tick. */
export interface PriceRange {
  price: Decimal;
  /** The extreme in the direction that earns money. */
  best: Decimal;
  /** The extreme in the direction that loses money. */
  worst: Decimal;
}

/** The range of a tick for the side of the execution. */
export function priceRangeOf(
  { side }: Execution,
  { price, high = price, low = price }: ExecutionTick,
): PriceRange {
  return side === 'long' ? { price, best: high, worst: low } : { price, best: low, worst: high };
}
