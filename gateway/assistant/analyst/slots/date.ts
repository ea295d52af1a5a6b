import { wordSet } from '../word-list.js';
import { casual, type ParsedResult } from 'chrono-node';
import { isFieldWord } from '../vocabulary/words.js';
import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dateCues = wordSet('date', 'dateCues');
/** Words that are dates only behind a cue: "may", "march", "sun". */
const ambiguous = wordSet('date', 'ambiguous');
/** Without one of these there is no date, and the parser need not look. */
const signs =
  /\d[-/:.]\d|\d\s?[ap]m\b|\b20[0-4]\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|yesterday|tomorrow|noon|midnight|ago|next|tonight|night)/i;
/** Days and times that people name by what happened then. */
const events =
  /\b(?:halving|covid(?: crash)?|the merge|(?:ftx|luna|terra) (?:crash|collapse)|(?:last|the|2018|2022|during a) (?:bear market|bull run)|(?:last|this|the) (?:summer|winter|autumn)|black (?:thursday|monday|friday)|new years?(?: eve| day)?|christmas(?: eve)?|easter|thanksgiving|q[1-4]|ytd|year to date|decade|last night|half a decade|the last cycle|this cycle|max history)\b/gi;
const years =
  /\b(?:since|in|from|of|during|until|till|before|after|to|for|back in|and)\s+(?:the\s+)?(20[0-4]\d)\b(?!\s*(?:usd|\$|sat))|\b(20[0-4]\d)\s+only\b/gi;

/** Reads a date as ISO 8601: "2026-03-01", "1 June 2025", "since March", "yesterday". A month is its first day, in the past. */
export function readDate(question: Question, { nowMs }: ReadingContext): void {
  const { text, placeOf } = writtenText(question);
  if (!signs.test(text) && !events.test(text)) return;
  events.lastIndex = 0;
  hearImpossible(question, text, placeOf);
  const now = new Date(nowMs);
  let clock: ParsedResult | undefined;
  for (const result of casual.parse(text.slice(0, 400), { instant: now, timezone: 0 })) {
    const [from, to] = [placeOf(result.index), placeOf(result.index + result.text.length - 1) + 1];
    if (!isDate(question, result, from, to)) continue;
    if (result.start.isCertain('hour') && !result.text.includes('ago')) clock = result;
    // "At noon on 3 June": the time is one of the day that stands beside it.
    if (isClock(result) && /\d|noon|midnight/.test(result.text)) question.hear('time', from, to);
    else takeDate(question, result, from, to, nowMs);
  }
  for (const { index, 0: said, 1: one, 2: other } of text.matchAll(years)) {
    const year = one ?? other;
    const at = placeOf(one === undefined ? index : index + said.length - 1);
    if (!question.isFree(at)) continue;
    setDate(question, `${year}-01-01`, nowMs, question.word(at - 1));
    question.take('date', at, at + 1);
  }
  for (const { index, 0: said } of text.matchAll(events)) {
    const [from, to] = [placeOf(index), placeOf(index + said.length - 1) + 1];
    if (question.isFree(from)) question.hear('time', from, to);
  }
  if (clock !== undefined) setHours(question, clock, nowMs);
}

/** Whether a time of day stands alone, without its day. */
const isClock = ({ start, text }: ParsedResult): boolean =>
  start.isCertain('hour') &&
  !(['day', 'weekday', 'month'] as const).some((part) => start.isCertain(part)) &&
  !/today|yesterday|tomorrow|morning|night|ago/i.test(text);

/** The hours of the day that a time, or two, lie in; of today where no day is named. */
function setHours(question: Question, { start, end }: ParsedResult, nowMs: number): void {
  const { slots } = question;
  const day = Date.parse((slots.date ??= new Date(nowMs).toISOString().slice(0, 10)));
  const hourOf = (time: ParsedResult['start']) =>
    time.get('hour')! + (time.get('minute') ?? 0) / 60 + (time.get('second') ?? 0) / 3600;
  const first = hourOf(start);
  const last = end?.isCertain('hour') ? hourOf(end) : first;
  const [begin, close] = [Math.floor(first), Math.max(Math.ceil(last), Math.floor(first) + 1)];
  const iso = (hour: number) => new Date(day + hour * hourMs).toISOString();
  slots.hours = { start: iso(begin), end: iso(close), isWhole: first % 1 === 0 && last % 1 === 0 };
}

/** The words as they are written, and the place of the token that a character belongs to. */
function writtenText(question: Question): { text: string; placeOf: (index: number) => number } {
  const starts: number[] = [];
  let text = '';
  question.tokens.forEach(({ raw, kind, text: word, isJoined }, at) => {
    if (at > 0 && !isJoined) text += ' ';
    starts.push(text.length);
    text += kind === 'word' && /^[a-z]+$/.test(word) && !raw.includes("'") ? word : raw;
  });
  // "Last 6 months, 4h candles" is a span and an interval.
  text = text.replace(/,(?= \d+ ?[mhd]\b)/g, ';');
  text = text.replace(/\bup to and including\b/gi, (said) => 'to'.padEnd(said.length));
  return { text, placeOf: (index) => starts.findLastIndex((start) => start <= index) };
}

/** Days that no calendar has: "31 April", "2024-13-45", "25:00". */
function hearImpossible(question: Question, text: string, placeOf: (index: number) => number): void {
  const written =
    /\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,? (20\d\d))?\b|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (20\d\d))?|\b(20\d\d)-(\d{1,2})-(\d{1,2})\b|\b(\d{1,2}):(\d{2})\b/gi;
  for (const match of text.matchAll(written)) {
    const [said, day, month, year, month2, day2, year2, isoYear, isoMonth, isoDay, hour, minute] = match;
    const isTime = hour !== undefined;
    const monthAt =
      isoMonth === undefined
        ? months.indexOf((month ?? month2 ?? '').slice(0, 3).toLowerCase())
        : Number(isoMonth) - 1;
    const isPossible = isTime
      ? (Number(hour) < 24 && Number(minute) < 60) || Number(hour) + Number(minute) === 100
      : isReal(Number(isoYear ?? year ?? year2 ?? 2024), monthAt, Number(isoDay ?? day ?? day2));
    const [from, to] = [placeOf(match.index), placeOf(match.index + said.length - 1) + 1];
    if (isPossible || !areFree(question, from, to) || (isTime && !/\d:\d\d$/.test(said))) continue;
    question.hear('noDate', from, to, {
      why: `There is no ${isTime ? 'time' : 'day'} ${question.written(from, to)}.`,
    });
  }
}

function isReal(year: number, month: number, day: number): boolean {
  const time = new Date(Date.UTC(year, month, day));
  return month >= 0 && month < 12 && time.getUTCMonth() === month && time.getUTCDate() === day;
}

const areFree = (question: Question, from: number, to: number): boolean =>
  Array.from({ length: to - from }, (_, n) => from + n).every((at) => question.isFree(at));

/** Whether the parser has found a day or a time: not a span of the past, a share such as 10/30, or a number behind "at". */
function isDate(question: Question, { text, start }: ParsedResult, from: number, to: number): boolean {
  if (!areFree(question, from, to)) return false;
  const said = text.toLowerCase();
  if (
    /^(?:right )?now$|^today$|^(?:in|for|within) |^\d+\/\d+$|^(?:last|past|this|previous) (?:\d+ )?(?:week|month|year|hour|day|quarter|minute|second)s?$/.test(
      said,
    )
  )
    return false;
  if (/^(?:the )?(?:last|past|previous) \S+ (?:week|month|year|hour|day|minute|quarter)s?$/.test(said))
    return false;
  // "Over 6 months after fees"
  if (/ (?:after|before)$|\d.* later$/.test(said)) return false;
  const hasTime = start.isCertain('hour');
  const hasDay =
    start.isCertain('weekday') || start.isCertain('month') || start.isCertain('day') || said.includes('ago');
  if (hasTime && !hasDay && !/[ap]m|:\d\d|noon|midnight|ago/.test(said)) return false;
  if (ambiguous.has(said) && !dateCues.has(question.word(from - 1))) return false;
  return hasDay || hasTime;
}

function takeDate(
  question: Question,
  { text, start, end }: ParsedResult,
  from: number,
  to: number,
  nowMs: number,
): void {
  let time = start.date().getTime();
  const isRelative = !start.isCertain('month') || /yesterday|ago/.test(text);
  const isFuture = /tomorrow|next|\btonight/i.test(text);
  if (!isFuture && start.isCertain('weekday') && !start.isCertain('day') && time + dayMs / 2 >= dayOf(nowMs))
    time -= time >= dayOf(nowMs) ? 7 * dayMs : 0;
  if (!isFuture && !start.isCertain('year') && start.isCertain('month') && dayOf(time) > nowMs) {
    const date = new Date(time);
    time = date.setUTCFullYear(date.getUTCFullYear() - 1);
  }
  const cue = question.word(question.phrase(from - 2, 2) === 'this time' ? from - 3 : from - 1);
  if (time > nowMs + dayMs || /tomorrow|tonight/i.test(text)) {
    if (!isOfMarket(question, from, to)) return question.take('noDate', from, to);
    return question.hear('noDate', from, to, {
      why: `I do not predict what comes: "${question.written(from, to)}" lies ahead.`,
    });
  }
  setDate(question, new Date(time).toISOString().slice(0, 10), nowMs, cue, isRelative);
  // "10 to 14 November": the days of both.
  const close = dayOf(end?.date().getTime() ?? 0) + dayMs;
  if (end && !end.isCertain('hour') && close > time + dayMs && close < nowMs + dayMs)
    question.slots.hours ??= {
      start: new Date(dayOf(time)).toISOString(),
      end: new Date(close).toISOString(),
      isWhole: true,
    };
  if (
    (start.isCertain('hour') || /morning|afternoon|evening|night|noon/i.test(text)) &&
    !text.includes('ago')
  )
    question.heard.push({ kind: 'time', heard: question.written(from, to) });
  question.take('date', from, to);
}

/** "Exam tomorrow", "I leave next week": the rest of the clause says nothing of a market. */
function isOfMarket(question: Question, from: number, to: number): boolean {
  const { from: start, end } = question.clauseAround(from);
  return (
    question.tokens.slice(0, Math.max(end, to)).some((_, at) => {
      const word = question.word(at);
      return (
        at >= start &&
        (at < from || at >= to) &&
        (question.slotAt(at) !== undefined || isFieldWord(word) || ofMarkets.has(word))
      );
    }) || end - start === to - from
  );
}
const ofMarkets = wordSet('date', 'ofMarkets');

const dayOf = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

function setDate(question: Question, date: string, nowMs: number, cue: string, isRelative = false): void {
  const { slots } = question;
  if (slots.date !== undefined || Date.parse(date) > nowMs) return;
  slots.date = date;
  if (cue !== 'since' && cue !== 'from') return;
  const hours = Math.ceil((nowMs - Date.parse(date)) / hourMs);
  // "Since yesterday" is a day, "since Monday" a week at most.
  slots.windowHours ??= isRelative ? Math.max(24, Math.floor(hours / 24) * 24) : hours;
}
