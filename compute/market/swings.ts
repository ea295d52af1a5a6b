import type { Candles } from '../model/candles.js';

/** A turning point of price: the high of a candle that towers over its neighbours, or the low of one that lies below. */
export interface Swing {
  kind: 'high' | 'low';
  /** The candle, counted from the first. */
  index: number;
  price: number;
}

type Ranges = Pick<Candles, 'high' | 'low'>;

/**
 * Confirmed swings from index `from` on, oldest first: a high above the highs of the `reach` candles before it and not
 * below those of the `reach` candles after it; lows likewise. Of equal extremes in a row the first counts. A swing is
 * known only once the last of those candles has closed, `reach` candles later, and then stays.
 */
export function findSwings({ high, low }: Ranges, reach: number, from = 0): Swing[] {
  const swings: Swing[] = [];
  for (let i = Math.max(from, reach); i < high.length - reach; i++) {
    if (isExtreme(high, i, reach, 1)) swings.push({ kind: 'high', index: i, price: high[i] });
    if (isExtreme(low, i, reach, -1)) swings.push({ kind: 'low', index: i, price: low[i] });
  }
  return swings;
}

/** Candles that will be swings unless one of those still missing goes further: at most one high and one low. */
export function findPendingSwings({ high, low }: Ranges, reach: number): Swing[] {
  const swings: Swing[] = [];
  for (let i = Math.max(reach, high.length - reach); i < high.length; i++) {
    if (isExtreme(high, i, reach, 1)) swings.push({ kind: 'high', index: i, price: high[i] });
    if (isExtreme(low, i, reach, -1)) swings.push({ kind: 'low', index: i, price: low[i] });
  }
  return swings;
}

/** Whether a price is beyond those before it, and none of those after it that are there is beyond; `way` -1 for lows. */
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
 * The last move between a high and a low that is at least `minimum` long, both ends confirmed swings: a zigzag over
 * the swings, in which a turn counts from that length on and an end moves along as far as price goes. Null if there is
 * none.
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

/** How far a price lies beyond a swing, in the direction in which the swing points. */
const riseFrom = (swing: Swing, { price }: Swing): number =>
  swing.kind === 'high' ? price - swing.price : swing.price - price;
