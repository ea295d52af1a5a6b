import { setTimeout as pause } from 'node:timers/promises';
import { intents } from '../intents.js';
import { Recogniser } from './recogniser.js';

/** Between two steps, so that requests meanwhile wait for one step at most. */
const pauseMs = 25;

let steps: Generator<undefined, Recogniser> | undefined;
let made: Recogniser | undefined;

/** The recogniser of all intents. What is not made of it yet is made at once. */
export function recogniser(): Recogniser {
  while (!made) makeStep();
  return made;
}

/** Makes the recogniser of all intents beside other work, so that no question has to wait for it. */
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
