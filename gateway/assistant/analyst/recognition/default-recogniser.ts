import { setTimeout as pause } from 'node:timers/promises';
import { intents } from '../intents.js';
import { preparedText } from '../../../prepared/prepared-text.js';
import { Recogniser, type ReadPhrase } from './recogniser.js';

/** The pause between two steps, so that requests wait for one step at most. */
const pauseMs = 25;

let steps: Generator<unknown, Recogniser> | undefined;
let made: Recogniser | undefined;

/** The phrases of all intents as they are read, which the build keeps: to read them takes most of the time. */
export function readPhrases(): ReadPhrase[][] {
  let read: ReadPhrase[][] = [];
  for (const each of Recogniser.make(intents)) read = each;
  return read;
}

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
  steps ??= Recogniser.make(intents, JSON.parse(preparedText('phrases.json', {})) as ReadPhrase[][]);
  const step = steps.next();
  if (step.done) made = step.value;
}
