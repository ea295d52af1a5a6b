import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';
import type { Slots } from '../slots.js';

type State = NonNullable<Slots['state']>;

const words: Readonly<Record<string, State>> = wordTable('state', 'words');

/** Two words for a state. */
const pairs: Readonly<Record<string, State>> = wordTable('state', 'pairs');

/** "Wait" and "waiting" are a state where something says so, because people wait, too. */
const waits = new Set(['wait', 'waiting', 'waits']);
const waitCues = wordSet('state', 'waitCues');

/** Reads a trend state. The words stay: "bullish" also says what is asked. */
export function readState(question: Question): void {
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    if (!question.isFree(at)) return;
    const phrase = `${word} ${question.word(at + 1)}`;
    if (Object.hasOwn(pairs, phrase) && question.isFree(at + 1)) {
      question.slots.state ??= pairs[phrase];
      question.take('state', at, at + 2, { keepsWords: true });
      return;
    }
    const state = Object.hasOwn(words, word)
      ? words[word]
      : waits.has(word) && isState(question, at)
        ? 'wait'
        : undefined;
    if (state === undefined || (word === 'green' && question.word(at - 1) === 'the')) return;
    question.slots.state ??= state;
    question.take('state', at, at + 1);
  });
}

const isState = (question: Question, at: number): boolean =>
  waitCues.has(question.word(at - 1)) ||
  question.word(at + 1) === 'state' ||
  question.isMark(at - 1, '/') ||
  question.slotAt(at - 1) === 'asset';
