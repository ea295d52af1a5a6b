import type { PriceLevels } from '../market/price-levels.js';

/** Within which multiples of its usual length a stop may move behind a swing, and how far behind, in ATR. */
const stopReach = [0.75, 1.5] as const;
const behindSwing = 0.25;

export interface PlannedStop {
  price: number;
  /** Behind a confirmed swing, or so many ATR away for want of one in reach. */
  basis: 'swing' | 'atr';
  /** Open time, in ms, UTC, of the swing that it lies behind. */
  swingTime: number | null;
  /** How far it lies from the entry: in percent of that, and in ATR; both positive. */
  riskPercent: number;
  riskAtr: number;
}

/** The stop of a trade whose stop usually lies `length` away; `way` is 1 for a long and -1 for a short. */
export function planStop(
  entry: number,
  way: 1 | -1,
  length: number,
  { atr, swings }: PriceLevels,
  time: Float64Array,
): PlannedStop {
  const [least, most] = stopReach;
  const inReach = swings
    .filter(({ kind }) => (kind === 'low') === way > 0)
    .map(({ price, index }) => ({ distance: way * (entry - price) + behindSwing * atr, index }))
    .filter(({ distance }) => distance >= least * length && distance <= most * length)
    .sort((a, b) => Math.abs(a.distance - length) - Math.abs(b.distance - length) || a.distance - b.distance);
  const swing = inReach.at(0);
  const distance = swing?.distance ?? length;
  return {
    price: entry - way * distance,
    basis: swing ? 'swing' : 'atr',
    swingTime: swing ? time[swing.index] : null,
    riskPercent: (distance / entry) * 100,
    riskAtr: distance / atr,
  };
}
