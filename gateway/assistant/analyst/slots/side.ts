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
/** Sides that no tool has: both at once, or the opposite of a rule. */
const others = new Set('inverse inverted reversed hedged hedge hedging neutral'.split(' '));
const pairs = new Set([
  'both directions',
  'both ways',
  'both sides',
  'long and short',
  'short and long',
  'either way',
  'either direction',
  'market neutral',
  'delta neutral',
]);

/** "How long", "long term", "in short": no sides. */
const notAfter = new Set('how as so too that very much in before this'.split(' '));
const notBefore = new Set(
  'term run time ago ones answer version ma average lived enough do does did has have will until till summary of'.split(
    ' ',
  ),
);

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
