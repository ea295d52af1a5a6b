import { stateShapes, type ShownState } from '../parts/state-mark.js';
import type { Band } from './chart-bands.js';
import type { ChartColours } from './chart-colours.js';

const strength = '22';

/** The states of the trend as bands: each stretch with its colour, and its shape at the foot. */
export function stateBands(
  states: readonly { time: number; state: ShownState }[],
  colours: ChartColours,
): Band[] {
  const bands: (Band & { state: ShownState })[] = [];
  for (const { time, state } of states) {
    const last = bands.at(-1);
    if (last?.state === state) last.to = time;
    else
      bands.push({
        state,
        from: time,
        to: time,
        fill: colours[state] + strength,
        ink: colours[state],
        shape: stateShapes[state],
      });
  }
  return bands;
}
