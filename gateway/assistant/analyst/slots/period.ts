import { wordTable } from '../word-list.js';
import { hoursOfSpan } from '../heard/served-values.js';
import type { Question } from './question.js';
import { spansOf } from './spans.js';
import type { Slots } from '../slots.js';

/** The periods that tools take. */
const periods = ['3M', '6M', '1y'] as const;
/** How far a span may be from the period that it means: ninety days are three months. */
const tolerance = 0.015;

const words: Readonly<Record<string, NonNullable<Slots['period']>>> = wordTable('period', 'words');

/** Reads 3 months, 6 months or a year: "6M", "half a year", "90 days", "last quarter". */
export function readPeriod(question: Question): void {
  for (const { hours, from, to } of spansOf(question)) {
    const period = periods.find((each) => Math.abs(hours / hoursOfSpan(each) - 1) < tolerance);
    if (period === undefined) continue;
    question.slots.period ??= period;
    question.slots.windowHours ??= hours;
    question.take('period', from, to);
  }
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    const isCounted = question.tokens[question.isMark(at - 1, '-') ? at - 2 : at - 1]?.kind === 'number';
    // "The best month of the year" is no span of the past.
    const isOther = isCounted || question.phrase(at - 2, 2) === 'of the';
    if (!question.isFree(at) || isOther || !Object.hasOwn(words, word)) return;
    question.slots.period ??= words[word];
    question.take('period', at, at + 1, { keepsWords: true });
  });
}
