import { meanInterval } from '../metrics/mean-interval.js';
import { median } from '../metrics/median.js';
import { skewedMeanInterval } from '../metrics/skewed-mean-interval.js';
import { stateName, type FlipStatistics, type ForwardReturn, type TrendState } from '../model/core-line.js';
import { flipIndexes } from './flip-indexes.js';

const horizons = [5, 10, 20, 60] as const;
const states: TrendState[] = ['accumulate', 'wait', 'distribute'];

/** How the intervals are made, for readers of the answer. */
const flipMethod =
  "durations: Hall's interval of a skewed mean (1992); returns: Student's; returns that overlap an earlier one after the same kind of flip are left out, since only returns over different candles are independent";

/**
 * The durations of states, and the returns after each kind of flip, over the whole history. The present state and flips
 * more recent than a horizon are left out, and so are flips within a horizon of the last one that counts: returns over
 * the same candles are no independent values (Hansen and Hodrick, 1980).
 */
export function flipStatistics(close: Float64Array, state: Int8Array): FlipStatistics {
  const flips = flipIndexes(state);
  const lasted = new Map(states.map((name) => [name, [] as number[]]));
  flips.slice(1).forEach((at, n) => lasted.get(stateName(state[flips[n]])!)!.push(at - flips[n]));
  const durations = states.map((name) => {
    return { state: name, ...skewedMeanInterval(lasted.get(name)!), median: median(lasted.get(name)!) };
  });
  return { durations, forwardReturns: forwardReturns(close, state, flips), method: flipMethod };
}

function forwardReturns(close: Float64Array, state: Int8Array, flips: number[]): ForwardReturn[] {
  const kinds = new Map<string, number[]>();
  for (const at of flips) {
    const kind = `${stateName(state[at - 1])} ${stateName(state[at])}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), at]);
  }
  return [...kinds.keys()].sort().flatMap((kind) => {
    const [from, to] = kind.split(' ') as [TrendState, TrendState];
    return horizons.map((candles) => {
      const old = kinds.get(kind)!.filter((at) => at + candles < close.length);
      const returns = withoutOverlap(old, candles).map((at) => (close[at + candles] / close[at] - 1) * 100);
      return { from, to, candles, seen: old.length, ...meanInterval(returns), median: median(returns) };
    });
  });
}

/** The first of the ascending indexes, and each that is at least `distance` behind the last one taken. */
export function withoutOverlap(indexes: readonly number[], distance: number): number[] {
  let free = -Infinity;
  return indexes.filter((at) => {
    if (at < free) return false;
    free = at + distance;
    return true;
  });
}
