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
  /** The venue's times (ms since 1970) of the start of the range and of the price; absent: they do not matter. */
  since?: number | undefined;
  time?: number | undefined;
}

/** The range of a tick for the side of the execution. */
export function priceRangeOf(
  { side }: Execution,
  { price, high = price, low = price, since, time }: ExecutionTick,
): PriceRange {
  const [best, worst] = side === 'long' ? [high, low] : [low, high];
  return { price, best, worst, since, time };
}

/**
 * The part of a range that counts for a level: prices from before a command never reach what the command has set. Null if all of
 * the range is from before.
 */
export function seenBy(level: { readonly setAt?: number }, range: PriceRange): PriceRange | null {
  const { price, time, since = time } = range;
  if (level.setAt === undefined || time === undefined || since! >= level.setAt) return range;
  return time > level.setAt ? { ...range, best: price, worst: price } : null;
}
