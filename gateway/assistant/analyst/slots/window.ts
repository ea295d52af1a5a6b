import type { Question } from './question.js';
import { spansOf } from './spans.js';

/** Reads a span of the past in hours: "24h", "last week", "over 7 days", "today", "all time". */
export function readWindow(question: Question): void {
  for (const { hours, from, to, isRepeated } of spansOf(question)) {
    if (isRepeated) continue;
    question.slots.windowHours ??= hours;
    question.take('windowHours', from, to);
  }
  question.tokens.forEach((_, at) => readWord(question, at));
}

const allTime = [
  'all time',
  'since inception',
  'since start',
  'since the start',
  'lifetime',
  'so far',
  'whole history',
  'entire history',
  'full history',
];

function readWord(question: Question, at: number): void {
  if (!question.isFree(at)) return;
  const word = question.word(at);
  if (word === 'today' || word === 'todays') {
    question.slots.isToday = true;
    question.slots.windowHours ??= 24;
    question.take('isToday', at, at + 1);
  }
  if (word === '') return;
  const isAllTime = allTime.find(
    (each) => each.startsWith(word) && question.phrase(at, each.split(' ').length) === each,
  );
  if (isAllTime === undefined) return;
  const length = isAllTime.split(' ').length;
  if (question.word(at + length) === 'high' || question.word(at + length) === 'low') return;
  question.slots.isAllTime = true;
  question.take('isAllTime', at, at + length);
}
