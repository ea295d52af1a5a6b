import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const monthOf = (word: string): number =>
  word.length < 3
    ? -1
    : months.findIndex(
        (month) => month === word || month.slice(0, 3) === word || (word === 'sept' && month === 'september'),
      );
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const dateCues = new Set(
  'in since from on until before after by of early late mid through during'.split(' '),
);

/** Reads a date as ISO 8601: "2026-03-01", "1 June 2025", "since March", "yesterday". A month is its first day, in the past. */
export function readDate(question: Question, { nowMs }: ReadingContext): void {
  for (let at = 0; at < question.tokens.length; at++) {
    if (!question.isFree(at)) continue;
    const read = isoDate(question, at) ?? namedDate(question, at, nowMs) ?? relativeDate(question, at, nowMs);
    if (read === null) continue;
    question.slots.date ??= read.date;
    if (['since', 'from'].includes(question.word(at - 1)))
      question.slots.windowHours ??= hoursSince(read, nowMs);
    question.take('date', at, read.end);
    return;
  }
}

/** "Since yesterday" is a day, "since Monday" a week at most. */
function hoursSince({ date, isRelative }: DateRead, nowMs: number): number {
  const hours = Math.ceil((nowMs - Date.parse(date)) / hourMs);
  return isRelative === true ? Math.max(24, Math.floor(hours / 24) * 24) : hours;
}

interface DateRead {
  date: string;
  end: number;
  /** A day named by its distance from today. */
  isRelative?: boolean;
}

/** Three numbers with dashes or slashes between them. */
function isoDate(question: Question, at: number): DateRead | null {
  const isSplit = (mark: string) => question.isMark(at + 1, mark) && question.isMark(at + 3, mark);
  if (!isSplit('-') && !isSplit('/')) return null;
  const [year, month, day] = [at, at + 2, at + 4].map((place) => question.number(place)?.value ?? NaN);
  return dateOf(year, month - 1, day, at + 5);
}

function dateOf(year: number, month: number, day: number, end: number): DateRead | null {
  const time = new Date(Date.UTC(year, month, day));
  const isReal = year >= 2009 && year < 2100 && time.getUTCMonth() === month && time.getUTCDate() === day;
  return isReal ? { date: time.toISOString().slice(0, 10), end } : null;
}

function namedDate(question: Question, at: number, nowMs: number): DateRead | null {
  const first = question.number(at)?.value;
  const start = first === undefined ? at : question.word(at + 1) === 'of' ? at + 2 : at + 1;
  const month = monthOf(question.word(start));
  if (month === -1) return null;
  const isVerb = ['may', 'march', 'mar', 'dec'].includes(question.word(start));
  if (first === undefined && isVerb && !dateCues.has(question.word(at - 1))) return null;
  const second = question.number(start + 1);
  const isDay = first === undefined && second !== undefined && second.value! <= 31;
  const yearAt = isDay ? (question.isMark(start + 2, ',') ? start + 3 : start + 2) : start + 1;
  const year = question.number(yearAt)?.value;
  const hasYear = year !== undefined && year >= 2009 && year < 2100;
  const day = first ?? (isDay ? second.value! : 1);
  const end = hasYear ? yearAt + 1 : isDay ? start + 2 : start + 1;
  const now = new Date(nowMs);
  const thisYear = now.getUTCFullYear();
  const isAhead = Date.UTC(thisYear, month, day) > nowMs;
  return dateOf(hasYear ? year : isAhead ? thisYear - 1 : thisYear, month, day, end);
}

function relativeDate(question: Question, at: number, nowMs: number): DateRead | null {
  const word = question.word(at);
  const isDay = (days: number) => ({
    date: new Date(nowMs - days * dayMs).toISOString().slice(0, 10),
    end: at + 1,
    isRelative: true,
  });
  if (word === 'yesterday') return isDay(1);
  const weekday = weekdays.findIndex((day) => day === word || (day.slice(0, 3) === word && word !== 'sun'));
  const isNamed = weekday !== -1 && ['since', 'last'].includes(question.word(at - 1));
  // The last one before today: on a Monday, "since Monday" began a week ago.
  return isNamed ? isDay((new Date(nowMs).getUTCDay() - weekday + 7) % 7 || 7) : null;
}
