import type { Candles } from '../model/candles.js';
import { stateCode, stateName, type CurrentState, type StateOrNone } from '../model/core-line.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { coreLineParams } from './rule.js';

const dayMs = 86_400_000;

/** The state after the last candle, and since when it holds. Needs at least one candle. */
export function currentState({ time, close }: Candles, state: Int8Array, interval: Interval): CurrentState {
  const last = time.length - 1;
  const price = close[last];
  const asOf = time[last] + intervalMs(interval);
  if (state[last] === stateCode.none)
    return { state: null, since: null, candlesInState: null, daysInState: null, price, asOf };
  const first = firstOfState(state);
  return {
    state: stateName(state[last]),
    since: time[first],
    candlesInState: last - first + 1,
    daysInState: (asOf - time[first]) / dayMs,
    price,
    asOf,
  };
}

/** The current state of any number of candles; every field is null without candles. */
export function stateOrNone(candles: Candles, state: Int8Array, interval: Interval): StateOrNone {
  if (state.length > 0) return currentState(candles, state, interval);
  return { state: null, since: null, candlesInState: null, daysInState: null, price: null, asOf: null };
}

/** The index of the first candle in a row with the state of the last candle. */
export function firstOfState(state: Int8Array): number {
  let first = state.length - 1;
  while (first > 0 && state[first - 1] === state[first]) first--;
  return first;
}

/** Why a series of so many candles has no state; null where it has one. */
export function whyNoState(candles: number): string | null {
  const needed = coreLineParams.readyIndex + 1;
  return candles < needed ? `the trend state needs ${needed} candles, found ${candles}` : null;
}
