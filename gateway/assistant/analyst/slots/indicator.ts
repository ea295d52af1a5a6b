import { indicatorAt } from './indicator-words.js';
import type { Question } from './question.js';

const longestPeriod = 500;
const spanWords = new Set([
  'day',
  'days',
  'hour',
  'hours',
  'week',
  'period',
  'periods',
  'candle',
  'candles',
  'bar',
  'd',
]);

/** Reads the indicator and its period: "RSI 14", "the 200-day average", "ema(50)". A plain "average" counts with a period alone. */
export function readIndicator(question: Question): void {
  for (let at = 0; at < question.tokens.length; at++) {
    const found = question.isFree(at)
      ? indicatorAt((place) => (question.isFree(place) ? question.word(place) : ''), at)
      : null;
    if (found === null) continue;
    const before = periodBefore(question, at);
    const after = before === null ? periodAt(question, found.end) : null;
    const isVague = question.phrase(at, found.end - at) === 'average';
    if (isVague && before === null) continue;
    question.slots.indicator ??= found.name;
    const period = before?.period ?? after?.period;
    if (period !== undefined) question.slots.indicatorPeriod ??= period;
    question.take('indicator', before?.from ?? at, after?.end ?? found.end);
    at = (after?.end ?? found.end) - 1;
  }
}

/** A number directly before the indicator, with "day" between them or without. */
export function periodBefore(question: Question, at: number): { period: number; from: number } | null {
  for (const back of [1, 2, 3]) {
    const number = question.number(at - back);
    const isPlain =
      number !== undefined && (number.unit === '' || number.unit === 'day' || number.unit === 'hour');
    if (isPlain && isPeriod(number.value)) return { period: number.value!, from: at - back };
    if (!spanWords.has(question.word(at - back)) && !question.isMark(at - back, '-')) return null;
  }
  return null;
}

function periodAt(question: Question, at: number): { period: number; end: number } | null {
  const number = question.number(at);
  const isPlain =
    number?.unit === '' &&
    isPeriod(number.value) &&
    !question.isMark(at + 1, '/') &&
    !spanWords.has(question.word(at + 1));
  return isPlain ? { period: number.value!, end: at + 1 } : null;
}

const isPeriod = (value: number | undefined): boolean =>
  value !== undefined && Number.isInteger(value) && value > 1 && value <= longestPeriod;
