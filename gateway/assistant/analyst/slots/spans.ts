import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';

/** A length of time that a question names. */
export interface NamedSpan {
  from: number;
  to: number;
  hours: number;
  /** Written as "4h" or "1d", as intervals of charts are. */
  isCompact: boolean;
  /** Said of the past: "the last 4 hours". */
  isPast: boolean;
  /** Said of a chart: "on the daily", "4 hour candles". */
  isOfChart: boolean;
  /** Said of a repetition: "every week", "monthly". */
  isRepeated: boolean;
}

const hoursOf: Readonly<Record<string, number>> = wordTable('spans', 'hoursOf');

/** Charts are also called by the letter first: "M30", "H4". */
const hoursOfLetter: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24, w: 168 };

/** Single words for spans. */
const adverbs: Readonly<Record<string, number>> = wordTable('spans', 'adverbs');

const pastCues = wordSet('spans', 'pastCues');
/** What stands between "the" and the end of a short question: "and the month?". */
const openings = wordSet('spans', 'openings');
const mostTokens = 6;
const chartCues = wordSet('spans', 'chartCues');
const articles = new Set('the a an'.split(' '));
const counted = new Set(['trades', 'trade', 'signals', 'orders', 'times', 'buys']);
const repeatCues = new Set('every each per'.split(' '));

/** The spans of a question, from left to right. Spans of indicators ("200-day average") are taken before. */
export function spansOf(question: Question): NamedSpan[] {
  const spans: NamedSpan[] = [];
  for (let at = 0; at < question.tokens.length; at++) {
    const span = spanAt(question, at);
    if (span === null) continue;
    spans.push(span);
    at = span.to - 1;
  }
  return spans;
}

function spanAt(question: Question, at: number): NamedSpan | null {
  if (!question.isFree(at) || isOfRule(question, at)) return null;
  const number = question.number(at);
  if (number) return numberSpan(question, at);
  const word = question.word(at);
  const [, letter, count] = /^([mhdw])(\d{1,3})$/.exec(word) ?? [];
  if (letter !== undefined)
    return described(question, at, at + 1, Number(count) * hoursOfLetter[letter], { isCompact: true });
  if (Object.hasOwn(adverbs, word)) return adverbSpan(question, at);
  if (!Object.hasOwn(hoursOf, word) || word.length === 1) return null;
  const before = question.word(at - 1);
  const hours = hoursOf[word];
  // "Which day of the week", "the best month of the year" ask by weekday and by month.
  if (
    before === 'the' &&
    question.word(at - 2) === 'of' &&
    !/^(?:day|hour|time|month)/.test(question.word(at - 3))
  )
    return described(question, at, at + 1, hours, { isPast: true });
  const isOfWeek = before === 'the' && question.tokens[at].isPossessive === true;
  if (isOfWeek || pastCues.has(before) || (before === 'the' && pastCues.has(question.word(at - 2))))
    return described(question, at, at + 1, hours, { isPast: true });
  // "The week candle" is that of the weekly chart.
  if (repeatCues.has(before) || /^(?:candle|bar|chart)s?$/.test(question.word(at + 1)))
    return described(question, at, at + 1, hours, { isRepeated: true });
  const isAlone =
    before === 'the' && question.tokens.length <= mostTokens && question.tokens[at + 1]?.kind !== 'word';
  if (isAlone && openings.has(question.word(at - 2)))
    return described(question, at, at + 1, hours, { isPast: true });
  return null;
}

/** "Three trades a week", "exit after 3 days": parts of a rule, no span of the past. */
const isOfRule = (question: Question, at: number): boolean =>
  (articles.has(question.tokens[at].raw.split(' ')[0].toLowerCase()) && counted.has(question.word(at - 1))) ||
  (question.word(at - 1) === 'after' && [2, 3].some((back) => leaves.has(question.word(at - back))));
const leaves = new Set('exit exits exiting sell sells selling out close closes closing'.split(' '));

/** "Daily" is said of a repetition or a chart; "the last fortnight" and "overnight" of the past. */
function adverbSpan(question: Question, at: number): NamedSpan {
  const word = question.word(at);
  const isPast = word === 'fortnight' || word === 'overnight';
  if (question.word(at - 1) === 'half' && question.isFree(at - 1))
    return described(question, at - 1, at + 1, adverbs[word] / 2, { isRepeated: true });
  return described(question, at, at + 1, adverbs[word], { isRepeated: !isPast, isPast });
}

function numberSpan(question: Question, at: number): NamedSpan | null {
  const { value = 0, unit = '', raw } = question.tokens[at];
  const isCompact = /^\d+(?:[a-z]|hrs?)$/i.test(raw);
  if (Object.hasOwn(hoursOf, unit))
    return described(question, at, at + 1, value * hoursOf[unit], {
      isCompact: isCompact || unit === 'minute',
    });
  if (unit === 'm') return ofMinutesOrMonths(question, at);
  const next = question.isMark(at + 1, '-') ? at + 2 : at + 1;
  const word = question.word(next);
  const isLength = lengthsOfCharts.has(value) || (value < 24 && !chartCues.has(question.word(next + 1)));
  if (unit === '' && word === 'hourly' && isLength && question.isFree(next))
    return described(question, at, next + 1, value, { isRepeated: true });
  if (unit !== '' || !Object.hasOwn(hoursOf, word) || !question.isFree(next)) return null;
  // "Near, 4 hour please": several of one hour are a chart's.
  const isOfChart = (word === 'hour' && value > 1 && value < 24) || word === 'minute' || word === 'min';
  return described(question, at, next + 1, value * hoursOf[word], isOfChart ? { isOfChart } : {});
}

/** "3M", "6m" and "12m" are months, "15m" and "3m chart" minutes; larger numbers are millions. */
function ofMinutesOrMonths(question: Question, at: number): NamedSpan | null {
  const { value = 0, raw } = question.tokens[at];
  const isOfChart = chartCues.has(question.word(at + 1));
  if ((raw.endsWith('M') || ([3, 6, 12].includes(value) && !isOfChart)) && value <= 24)
    return described(question, at, at + 1, value * 720, {});
  const isMinutes = lengthsInMinutes.has(value) && !sumCues.has(question.word(at - 1));
  return isMinutes ? described(question, at, at + 1, value / 60, { isCompact: true }) : null;
}

const lengthsInMinutes = new Set([1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 240]);
/** Before a number of millions. */
const sumCues = wordSet('spans', 'sumCues');

/** "4 hourly" is the length of a candle; "48 hourly bars" are counted. */
const lengthsOfCharts = new Set([1, 4]);

/** "365-day lookback", "1825 days of history" */
const isLookback = (question: Question, to: number): boolean =>
  backs.has(question.word(to)) || (question.word(to) === 'of' && backs.has(question.word(to + 1)));
const backs = new Set(['back', 'lookback', 'history', 'data']);
/** Thirty days, in hours. */
const leastBack = 720;

function described(
  question: Question,
  from: number,
  to: number,
  hours: number,
  known: Partial<Pick<NamedSpan, 'isCompact' | 'isPast' | 'isOfChart' | 'isRepeated'>>,
): NamedSpan {
  const before = question.word(from - 1);
  const earlier = question.word(from - 2);
  return {
    from,
    to,
    hours,
    isCompact: known.isCompact ?? false,
    isPast:
      known.isPast ??
      (pastCues.has(before) ||
        (articles.has(before) && pastCues.has(earlier)) ||
        (hours >= leastBack && isLookback(question, to))),
    isOfChart:
      (known.isOfChart ?? false) ||
      chartCues.has(question.word(to)) ||
      before === 'on' ||
      (before === 'the' && earlier === 'on'),
    isRepeated: (known.isRepeated ?? false) || repeatCues.has(before),
  };
}
