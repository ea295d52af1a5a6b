import { field, type Value } from '../model/field.js';
import { AppError } from '../model/errors.js';
import type { PairCandles } from '../task.js';

export const basketMember = field.object('an asset of the basket', {
  asset: field.text('asset symbol'),
  weight: field.number('share of the whole basket, 0 to 1'),
});

export type BasketMember = Value<typeof basketMember>;

/** Assets held with fixed weights, over the candles that all of them have. */
export interface Basket {
  members: BasketMember[];
  /** Open times of the common candles, ms UTC. */
  time: Float64Array;
  /** Closes of each member at those times. */
  closes: Float64Array[];
  /** Value of the basket at those times, 1 at the first. The weights are restored at every time. */
  worth: Float64Array;
}

/**
 * The basket of the given weights, scaled to a sum of 1; assets of weight 0 are left out. It has no candle
 * before `fromMs(last)`, where `last` is the last common open time. Throws `invalid_input` for negative weights, a sum
 * of 0, or an asset without candles.
 */
export function buildBasket(
  pairs: readonly PairCandles[],
  weights: Readonly<Record<string, number>>,
  fromMs: (lastMs: number) => number,
): Basket {
  const members = normalize(weights);
  const candles = members.map(({ asset }) => {
    const pair = pairs.find((each) => each.asset === asset);
    return pair ? pair.candles : refuse(`there are no candles of "${asset}"`, asset);
  });
  const common = commonTimes(candles.map(({ time }) => time));
  const time = common.filter((each) => each >= fromMs(common[common.length - 1]));
  const closes = candles.map((each) => valuesAt(each.time, each.close, time));
  return { members, time, closes, worth: rebalance(members, closes, time.length) };
}

function normalize(weights: Readonly<Record<string, number>>): BasketMember[] {
  const entries = Object.entries(weights);
  for (const [asset, weight] of entries)
    if (!(weight >= 0 && weight < Infinity))
      refuse(`the weight of "${asset}" must be a finite number of at least 0, found ${weight}`, asset);
  const sum = entries.reduce((total, [, weight]) => total + weight, 0);
  if (!(sum > 0 && sum < Infinity)) refuse('the weights must add up to a finite number above 0');
  return entries
    .filter(([, weight]) => weight > 0)
    .map(([asset, weight]) => ({ asset, weight: weight / sum }));
}

function refuse(message: string, asset?: string): never {
  const details = { field: 'weights', ...(asset === undefined ? {} : { asset }) };
  throw new AppError('invalid_input', message, { details });
}

/** The times that are in all of the ascending columns. */
function commonTimes([first, ...others]: readonly Float64Array[]): Float64Array {
  const held = others.map((times) => new Set(times));
  return first.filter((time) => held.every((times) => times.has(time)));
}

/** The values at the given times, which are all in `times`. */
function valuesAt(times: Float64Array, values: Float64Array, wanted: Float64Array): Float64Array {
  let i = 0;
  return wanted.map((time) => {
    while (times[i] < time) i++;
    return values[i];
  });
}

function rebalance(
  members: readonly BasketMember[],
  closes: readonly Float64Array[],
  count: number,
): Float64Array {
  // A single asset needs no rebalancing. A quotient gives equal values for equal prices; a product would not.
  if (members.length === 1) return closes[0].map((close) => close / closes[0][0]);
  const worth = new Float64Array(count).fill(1, 0, Math.min(1, count));
  for (let i = 1; i < count; i++) {
    let change = 0;
    members.forEach(({ weight }, m) => (change += weight * (closes[m][i] / closes[m][i - 1] - 1)));
    worth[i] = worth[i - 1] * (1 + change);
  }
  return worth;
}
