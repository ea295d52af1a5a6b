import { pastedObject } from '../text/pasted-object.js';
import type { Question } from './question.js';

/** Fields of a signal; an object with two of them is one. */
const fields = new Set(
  'coin trade_market exchange type invest entry_price_max entry_price_min exit_price_1 stop_loss leverage account'.split(
    ' ',
  ),
);
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
