import type { PriceLevel, PriceLevels } from '../market/price-levels.js';

/** How far before and behind its multiple of R a target may move to a level, in R; and how far it stays before that, in ATR. */
const targetReach = [0.25, 0.5] as const;
const beforeLevel = 0.1;

export interface PlannedTarget {
  price: number;
  /** The kind of level it lies before, or the plain multiple of the risk. */
  basis: PriceLevel['kind'] | 'r';
  level: string | null;
  /** Gain over risk, from the entry; and from the worst price of the entry range. */
  r: number;
  worstR: number;
  /** Gain in percent of the entry. */
  gainPercent: number;
  /** How often, in percent, price must reach it before the stop for nothing to be lost, costs aside: 100 / (1 + r). */
  breakEvenPercent: number;
}

/** A level in the way. */
export interface Obstacle {
  price: number;
  kind: PriceLevel['kind'];
  name: string;
  /** How far from the entry, in multiples of the risk. */
  r: number;
}

/** A trade as its targets see it; `way` is 1 for a long and -1 for a short. */
export interface Trade {
  entry: number;
  way: 1 | -1;
  risk: number;
}

/** The target that lies about `multiple` times the risk away. */
export function planTarget(
  multiple: number,
  { entry, way, risk, worse, stop }: Trade & { worse: number; stop: number },
  { atr, levels }: PriceLevels,
): PlannedTarget {
  const [short, beyond] = targetReach;
  const level = levels
    .map((each) => ({ ...each, gain: way * (each.price - entry) - beforeLevel * atr }))
    .filter(({ gain }) => gain > (multiple - short) * risk && gain < (multiple + beyond) * risk)
    .sort(
      (a, b) => Math.abs(a.gain - multiple * risk) - Math.abs(b.gain - multiple * risk) || a.gain - b.gain,
    )
    .at(0);
  const gain = level?.gain ?? multiple * risk;
  const price = entry + way * gain;
  return {
    price,
    basis: level?.kind ?? 'r',
    level: level?.name ?? null,
    r: gain / risk,
    worstR: (way * (price - worse)) / (way * (worse - stop)),
    gainPercent: (gain / entry) * 100,
    breakEvenPercent: 100 / (1 + gain / risk),
  };
}

/** The three nearest levels between the entry and a target, but those that the target lies before. */
export function findObstacles(
  target: number,
  { entry, way, risk }: Trade,
  { atr, levels }: PriceLevels,
): Obstacle[] {
  const room = way * (target - entry);
  return levels
    .map(({ price, kind, name }) => ({ price, kind, name, r: (way * (price - entry)) / risk }))
    .filter(({ r }) => r > 0 && r * risk < room - beforeLevel * atr)
    .sort((left, right) => left.r - right.r)
    .slice(0, 3);
}
