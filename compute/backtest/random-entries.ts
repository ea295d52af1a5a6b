import type { Candles } from '../model/candles.js';
import type { Random } from '../model/random.js';
import type { Costs, Trade } from './engine.js';

/** The prices at which the trades of a run can fill: the opens of its window without the first, and the last close. */
export interface Fills {
  /** The price of each, in order of time. */
  prices: Float64Array;
  /** The number of these steps that each trade was held. */
  held: number[];
  /** Return of the actual trades as a fraction, costs included. */
  actual: number;
}

/** The fills of a run over the candles from index `from` to the last. */
export function fillsOf(
  { open, close }: Pick<Candles, 'open' | 'close'>,
  from: number,
  trades: readonly Trade[],
): Fills {
  const prices = new Float64Array(open.length - from);
  prices.set(open.subarray(from + 1));
  prices[prices.length - 1] = close[close.length - 1];
  const end = open.length;
  const held = trades.map(({ entry, exit, exitReason }) => (exitReason === 'end' ? end : exit) - entry);
  const actual = trades.reduce((equity, { returnRate }) => equity * (1 + returnRate), 1) - 1;
  return { prices, held, actual };
}

/**
 * The returns (fractions) of strategies with the same holding times, number of trades and costs, but random entries: the
 * holding times are in random order, at places drawn uniformly from all that leave at least one candle between two
 * trades, as the engine does.
 */
export function randomReturns(
  { prices, held }: Fills,
  { feeRate, slippageRate }: Costs,
  paths: number,
  random: Random,
  tellDone: (paths: number) => void = () => undefined,
): Float64Array {
  const kept = ((1 - slippageRate) * (1 - feeRate)) / ((1 + slippageRate) * (1 + feeRate));
  const costs = kept ** held.length;
  const order = [...held];
  const free = prices.length - 1 - held.reduce((sum, steps) => sum + steps, 0) - (held.length - 1);
  const places = new Set<number>();
  const returns = new Float64Array(paths);
  for (let n = 0; n < paths; n++) {
    tellDone(n);
    shuffle(order, random);
    drawPlaces(free + held.length, held.length, random, places);
    let equity = costs;
    let taken = 0;
    let trade = 0;
    // Place k is the free step before trade k, counted without the trades and gaps before it.
    for (const place of [...places].sort((left, right) => left - right)) {
      const entry = place + taken;
      equity *= prices[entry + order[trade]] / prices[entry];
      taken += order[trade++];
    }
    returns[n] = equity - 1;
  }
  return returns;
}

/** Shuffles the values in place: Fisher and Yates. */
function shuffle(values: number[], random: Random): void {
  for (let i = values.length - 1; i > 0; i--) {
    const other = Math.floor(random.unit() * (i + 1));
    [values[i], values[other]] = [values[other], values[i]];
  }
}

/** `count` different numbers below `limit`, every choice as likely as any other: Floyd's algorithm (CACM 30, 1987). */
function drawPlaces(limit: number, count: number, random: Random, places: Set<number>): void {
  places.clear();
  for (let top = limit - count; top < limit; top++) {
    const drawn = Math.floor(random.unit() * (top + 1));
    places.add(places.has(drawn) ? top : drawn);
  }
}
