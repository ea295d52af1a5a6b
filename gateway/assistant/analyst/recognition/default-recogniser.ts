import { setTimeout as pause } from 'node:timers/promises';
import { intents } from '../intents.js';
import { Recogniser } from './recogniser.js';

/** The pause between two steps, so that requests wait for one step at most. */
const pauseMs = 25;

let steps: Generator<undefined, Recogniser> | undefined;
let made: Recogniser | undefined;

/** The recogniser of all intents. Steps that are still to be made are made at once. */
export function recogniser(): Recogniser {
  while (!made) makeStep();
  return made;
}

/** Makes the recogniser of all intents in steps beside other work, so that the first question need not wait for it. */
export async function prepareRecogniser(): Promise<void> {
  while (!made) {
    makeStep();
    await pause(pauseMs, undefined, { ref: false });
  }
}

function makeStep(): void {
  steps ??= Recogniser.make(intents);
  const step = steps.next();
  if (step.done) made = step.value;
}
