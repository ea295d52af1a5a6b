import { dataFile } from '../data-file.js';
import type { Question } from './question.js';

const words = dataFile<Record<string, string[]>>('exchange-words');
/** The words for exchanges, brokers and wallets that people name, served or not; the names are those of list_exchanges. */
const exchanges = new Map(Object.entries(words).flatMap(([name, all]) => all.map((each) => [each, name])));
const longest = 2;

/** Reads the exchange: one that can be connected, or another, which the answer then names. */
export function readExchange(question: Question): void {
  question.tokens.forEach((_, at) => {
    for (let length = longest; length > 0; length--) {
      const name = exchanges.get(question.phrase(at, length));
      if (name === undefined || !question.isFree(at)) continue;
      question.slots.exchange ??= name;
      question.take('exchange', at, at + length);
    }
  });
}

/** The words for exchanges, for the vocabulary. */
export const exchangeWords: readonly string[] = [...exchanges.keys()];
