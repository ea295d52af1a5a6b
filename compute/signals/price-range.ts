import type { Decimal } from '../model/decimal.js';
import type { Execution } from './execution.js';
import type { ExecutionTick } from './execution-event.js';

/** A price with the extremes since the price before it. */
export interface PriceRange {
  price: Decimal;
  /** The extremes since the tick before, in the direction that earns money and in the other. */
  best: Decimal;
  worst: Decimal;
}

export function priceRangeOf(
  { side }: Execution,
  { price, high = price, low = price }: ExecutionTick,
): PriceRange {
  return side === 'long' ? { price, best: high, worst: low } : { price, best: low, worst: high };
}
