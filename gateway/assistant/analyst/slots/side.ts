import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';
import type { Slots } from '../slots.js';

const words: Readonly<Record<string, NonNullable<Slots['side']>>> = wordTable('side', 'words');
/** Sides that no tool has: both at once, or the opposite of a rule. */
const others = wordSet('side', 'others');
const pairs = wordSet('side', 'pairs');

/** "How long", "long term", "in short": no sides. */
const notAfter = new Set('how as so too that very much in before this'.split(' '));
const notBefore = wordSet('side', 'notBefore');

/** Reads the side of a trade. What is no side of one trade, "both directions", is heard. */
export function readSide(question: Question): void {
  question.tokens.forEach((_, at) => {
    const length = [3, 2].find((each) => pairs.has(question.phrase(at, each)));
    if (length !== undefined && question.isFree(at)) question.hear('side', at, at + length);
    if (others.has(question.word(at)) && question.isFree(at)) question.hear('side', at, at + 1);
    const side = Object.hasOwn(words, question.word(at)) ? words[question.word(at)] : undefined;
    if (side === undefined || !question.isFree(at)) return;
    if (notAfter.has(question.word(at - 1)) || notBefore.has(question.word(at + 1))) return;
    question.slots.side ??= side;
    question.take('side', at, at + 1);
  });
}
