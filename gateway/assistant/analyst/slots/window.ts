import { hoursOfSpan } from '../heard/served-values.js';
import { listedWords } from '../word-list.js';
import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';
import { spansOf } from './spans.js';

/** The periods that tools take, and how far a span may be from the one that it means: ninety days are three months. */
const periods = ['3M', '6M', '1y'] as const;
const tolerance = 0.015;
const periodOf = (hours: number) =>
  periods.find((each) => Math.abs(hours / hoursOfSpan(each) - 1) < tolerance);

/** Reads a span of the past in hours, and as a period: "24h", "last week", "90 days", "half a year", "today", "all time". */
export function readWindow(question: Question, { nowMs }: ReadingContext): void {
  // "VaR of one week, over the last three years" looks back on the years.
  for (const { hours, from, to, period } of spansOf(question)
    .map((span) => ({ ...span, period: periodOf(span.hours) }))
    .filter(({ isRepeated, period }) => !isRepeated || period !== undefined)
    .map((span) => ({ ...span, rank: 2 * Number(span.isPast) + Number(isOfAsset(question, span.from)) }))
    .sort((one, other) => other.rank - one.rank)) {
    question.slots.windowHours ??= hours;
    if (period !== undefined) question.slots.period ??= period;
    question.spans.set(from, hours);
    question.take(period === undefined ? 'windowHours' : 'period', from, to);
  }
  question.tokens.forEach((_, at) => readWord(question, at));
  const { windowHours, isToday } = question.slots;
  if (windowHours === undefined) return;
  const back = isToday ? 0 : Math.min(windowHours, mostHours);
  question.slots.since = new Date(nowMs - back * hourMs).toISOString().slice(0, 10);
}

/** "Last month it was Jupiter. Did XRP's last 60 days happen before?": the span beside the asset is meant. */
function isOfAsset(question: Question, at: number): boolean {
  const { from, end } = question.clauseAround(at);
  return question.tokens.some(
    (_, place) => place >= from && place < end && question.slotAt(place) === 'asset',
  );
}

const hourMs = 3_600_000;
/** Ten years: no account is older. */
const mostHours = 87_600;

const allTime: readonly string[] = listedWords('window', 'allTime');

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
  if (['high', 'low', 'of'].includes(question.word(at + length))) return;
  question.slots.isAllTime = true;
  question.take('isAllTime', at, at + length);
}
