import { stateCode, type TrendState } from '../model/core-line.js';

/** How far the states of one asset on several intervals agree. */
export interface Agreement {
  /** -1 (all distribute) to 1 (all accumulate): the mean of the known states, wait counted 0; null where none is known. */
  score: number | null;
  /** How many of the states are known. */
  known: number;
  /** How many of the known ones are the commonest state. It tells a score of 0 for three waits from one of three opinions. */
  aligned: number;
  /** The commonest state; null where two are equally common. */
  majority: TrendState | null;
  /** Whether one interval accumulates while another distributes. */
  conflict: boolean;
}

/** The agreement of the given states, each of the same weight; null stands for a state not known yet. */
export function agreement(states: readonly (TrendState | null)[]): Agreement {
  const known = states.filter((state) => state !== null);
  const sum = known.reduce((total, state) => total + stateCode[state], 0);
  const count = (name: TrendState) => known.filter((state) => state === name).length;
  const names: TrendState[] = ['accumulate', 'wait', 'distribute'];
  const aligned = Math.max(...names.map(count));
  const commonest = names.filter((name) => count(name) === aligned);
  return {
    score: known.length > 0 ? sum / known.length : null,
    known: known.length,
    aligned,
    majority: commonest.length === 1 ? commonest[0] : null,
    conflict: count('accumulate') > 0 && count('distribute') > 0,
  };
}
