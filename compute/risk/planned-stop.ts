import type { PriceLevels } from '../market/price-levels.js';
import { field, type Value } from '../model/field.js';

/** The shortest and the longest stop behind a swing, as multiples of the usual length. */
const stopReach = [0.75, 1.5] as const;
/** The distance of a stop behind its swing, in ATR. */
const behindSwing = 0.25;

export const plannedStop = field.object('the stop', {
  price: field.number('price of the stop', { unit: 'quote' }),
  basis: field.choice('swing: behind a confirmed swing; atr: at the usual distance, with no swing in reach', [
    'swing',
    'atr',
  ]),
  swingTime: field.nullable(field.time('open time of that swing; null without one')),
  riskPercent: field.number('distance from the entry, in percent of the entry, above 0'),
  riskAtr: field.number('distance from the entry, above 0', { unit: 'atr' }),
});

export type PlannedStop = Value<typeof plannedStop>;

/** The stop of a trade. `length` is the usual distance from the entry; `way` is 1 for a long and -1 for a short. */
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
