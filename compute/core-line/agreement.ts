import { stateCode, trendStates, type TrendState } from '../model/core-line.js';
import { field, type Value } from '../model/field.js';

export const agreementField = field.object('how far the states of an asset on several intervals agree', {
  score: field.nullable(
    field.number(
      'mean of the known states, -1 (all distribute) to 1 (all accumulate); null where none is known',
    ),
  ),
  known: field.count('intervals with a known state'),
  aligned: field.count('intervals that have the commonest state'),
  majority: field.nullable(field.choice('commonest state; null where two are equally common', trendStates)),
  conflict: field.flag('whether one interval accumulates while another distributes'),
});

export type Agreement = Value<typeof agreementField>;

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
