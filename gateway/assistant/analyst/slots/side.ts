import type { Question } from './question.js';
import type { Slots } from '../slots.js';

const words: Readonly<Record<string, NonNullable<Slots['side']>>> = {
  long: 'long',
  longs: 'long',
  longing: 'long',
  short: 'short',
  shorts: 'short',
  shorting: 'short',
  shorted: 'short',
};

/** "How long", "long term", "in short": no sides. */
const notAfter = new Set('how as so too that very much in before this'.split(' '));
const notBefore = new Set(
  'term run time ago ones answer version ma average lived enough do does did has will until till summary of'.split(
    ' ',
  ),
);

/** Reads the side of a trade. */
export function readSide(question: Question): void {
  question.tokens.forEach((_, at) => {
    const side = Object.hasOwn(words, question.word(at)) ? words[question.word(at)] : undefined;
    if (side === undefined || !question.isFree(at)) return;
    if (notAfter.has(question.word(at - 1)) || notBefore.has(question.word(at + 1))) return;
    question.slots.side ??= side;
    question.take('side', at, at + 1);
  });
}
