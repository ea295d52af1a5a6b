import type { PriceLevel, PriceLevels } from '../market/price-levels.js';
import { field, type Value } from '../model/field.js';

/** The distance that a target may move to a level: short of its multiple of R, and beyond it, in R. */
const targetReach = [0.25, 0.5] as const;
/** The distance that a target keeps before a level, in ATR. */
const beforeLevel = 0.1;

const levelKinds = ['swings', 'pivot', 'donchian', 'fibonacci'] as const satisfies PriceLevel['kind'][];

export const plannedTarget = field.object('a target', {
  price: field.number('price of the target', { unit: 'quote' }),
  basis: field.choice('kind of the level that the target lies before; r: a plain multiple of the risk', [
    ...levelKinds,
    'r',
  ]),
  level: field.nullable(field.text('name of that level; null without one')),
  r: field.number('gain from the entry', { unit: 'r' }),
  worstR: field.number('gain from the worst price of the entry range', { unit: 'r' }),
  gainPercent: field.number('gain in percent of the entry'),
  breakEvenPercent: field.number(
    'share of trades, in percent, that must reach the target before the stop to break even, costs left out: 100 / (1 + r)',
  ),
});

export type PlannedTarget = Value<typeof plannedTarget>;

export const obstacle = field.object('a level between the entry and the first target', {
  price: field.number('price of the level', { unit: 'quote' }),
  kind: field.choice('kind of level', levelKinds),
  name: field.text('name of the level'),
  r: field.number('distance from the entry', { unit: 'r' }),
});

export type Obstacle = Value<typeof obstacle>;

/** A trade whose targets are planned; `way` is 1 for a long and -1 for a short. */
export interface PlannedTrade {
  entry: number;
  way: 1 | -1;
  /** Distance from the entry to the stop. */
  risk: number;
}

/** The target at about `multiple` times the risk. */
export function planTarget(
  multiple: number,
  { entry, way, risk, worse, stop }: PlannedTrade & { worse: number; stop: number },
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

/** The three nearest levels between the entry and a target, without those that the target lies just before. */
export function findObstacles(
  target: number,
  { entry, way, risk }: PlannedTrade,
  { atr, levels }: PriceLevels,
): Obstacle[] {
  const room = way * (target - entry);
  return levels
    .map(({ price, kind, name }) => ({ price, kind, name, r: (way * (price - entry)) / risk }))
    .filter(({ r }) => r > 0 && r * risk < room - beforeLevel * atr)
    .sort((left, right) => left.r - right.r)
    .slice(0, 3);
}
