import { wordSet } from '../word-list.js';
import { pastedObject } from '../text/pasted-object.js';
import type { Question } from './question.js';

/** Fields of a signal; an object with two of them is one. */
const fields = wordSet('pasted-signal', 'fields');
const leastFields = 2;

/** Reads a signal that was pasted as a JSON object: `{"coin": "ETH", "type": "long"}`. */
export function readPastedSignal(question: Question): void {
  question.tokens.forEach(({ kind, raw }, at) => {
    if (kind !== 'object' || question.slots.signal !== undefined) return;
    const signal = pastedObject(raw);
    if (signal === null || Object.keys(signal).filter((name) => fields.has(name)).length < leastFields)
      return;
    question.slots.signal = signal;
    question.take('signal', at, at + 1);
  });
}
