import type { Candles } from '../model/candles.js';

/** A turning point of price: a high above those of the neighbouring candles, or a low below theirs. */
export interface Swing {
  kind: 'high' | 'low';
  index: number;
  price: number;
}

type Ranges = Pick<Candles, 'high' | 'low'>;

/**
 * Confirmed swings from index `from` on, the oldest first: a high above the highs of the `reach` candles before it and
 * not below those of the `reach` candles after it; lows likewise. Of equal extremes in a row the first counts. A swing is
 * confirmed `reach` candles later and then stays.
 */
export function findSwings({ high, low }: Ranges, reach: number, from = 0): Swing[] {
  const swings: Swing[] = [];
  for (let i = Math.max(from, reach); i < high.length - reach; i++) {
    if (isExtreme(high, i, reach, 1)) swings.push({ kind: 'high', index: i, price: high[i] });
    if (isExtreme(low, i, reach, -1)) swings.push({ kind: 'low', index: i, price: low[i] });
  }
  return swings;
}

/** Swings that lack candles after them and may still be exceeded: at most one high and one low. */
export function findPendingSwings({ high, low }: Ranges, reach: number): Swing[] {
  const swings: Swing[] = [];
  for (let i = Math.max(reach, high.length - reach); i < high.length; i++) {
    if (isExtreme(high, i, reach, 1)) swings.push({ kind: 'high', index: i, price: high[i] });
    if (isExtreme(low, i, reach, -1)) swings.push({ kind: 'low', index: i, price: low[i] });
  }
  return swings;
}

/** Whether a price is beyond those before it and none of the known ones after it is beyond; `way` is -1 for lows. */
function isExtreme(prices: Float64Array, at: number, reach: number, way: 1 | -1): boolean {
  const price = prices[at] * way;
  for (let i = at - 1; i >= at - reach; i--) if (prices[i] * way >= price) return false;
  const end = Math.min(prices.length - 1, at + reach);
  for (let i = at + 1; i <= end; i++) if (prices[i] * way > price) return false;
  return true;
}

/** A move from one turning point to the next. */
export interface Leg {
  from: Swing;
  to: Swing;
}

/**
 * The last leg of a zigzag over confirmed swings: a turn counts once it is at least `minimum` long, and the end of a leg
 * moves on as long as price goes further. Null without such a leg.
 */
export function lastMajorLeg(swings: readonly Swing[], minimum: number): Leg | null {
  let from: Swing | null = null;
  let to: Swing | null = null;
  for (const swing of swings) {
    if (!to || swing.kind === to.kind) {
      if (!to || riseFrom(to, swing) > 0) to = swing;
    } else if (-riseFrom(to, swing) >= minimum) [from, to] = [to, swing];
  }
  return from && to && { from, to };
}

/** The distance from a swing to a price: positive above a high or below a low. */
const riseFrom = (swing: Swing, { price }: Swing): number =>
  swing.kind === 'high' ? price - swing.price : swing.price - price;
