import { capital } from './formats.js';

/** The shape of each state of the trend: its colour is not needed to tell it. */
export const stateShapes = { accumulate: '▲', wait: '●', distribute: '▼' } as const;

export type ShownState = keyof typeof stateShapes;

/** A state of the trend by shape, word and colour. */
export function StateMark({ state, small = false }: { state: ShownState | null; small?: boolean }) {
  if (state === null) return <span class="quiet">No state</span>;
  return (
    <span class={`state ${state}`}>
      <span class="shape" aria-hidden="true">
        {stateShapes[state]}
      </span>
      {small ? <span class="unseen">{capital(state)}</span> : capital(state)}
    </span>
  );
}
