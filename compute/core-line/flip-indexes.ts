import { coreLineParams } from './rule.js';

/** Indexes of the candles on which the state changed. The first state of a series is not a change. */
export function flipIndexes(state: Int8Array): number[] {
  const indexes: number[] = [];
  for (let i = coreLineParams.readyIndex + 1; i < state.length; i++) {
    if (state[i] !== state[i - 1]) indexes.push(i);
  }
  return indexes;
}
