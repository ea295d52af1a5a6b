import { wordTable } from '../word-list.js';
import type { Question } from './question.js';
import { spansOf } from './spans.js';
import type { Slots } from '../slots.js';

/** The periods that tools take, by the hours that people mean by them. */
const byHours: ReadonlyMap<number, NonNullable<Slots['period']>> = new Map([
  [2160, '3M'],
  [2184, '3M'],
  [4320, '6M'],
  [4368, '6M'],
  [4380, '6M'],
  [8640, '1y'],
  [8736, '1y'],
  [8760, '1y'],
]);

const words: Readonly<Record<string, NonNullable<Slots['period']>>> = wordTable('period', 'words');

/** Reads 3 months, 6 months or a year: "6M", "half a year", "90 days", "last quarter". */
export function readPeriod(question: Question): void {
  for (const { hours, from, to } of spansOf(question)) {
    const period = byHours.get(Math.round(hours));
    if (period === undefined) continue;
    question.slots.period ??= period;
    question.slots.windowHours ??= hours;
    question.take('period', from, to);
  }
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    if (!question.isFree(at) || !Object.hasOwn(words, word)) return;
    question.slots.period ??= words[word];
    question.take('period', at, at + 1, { keepsWords: true });
  });
}
