import { wordSet } from '../word-list.js';
import { isOrdinaryWord } from '../vocabulary/words.js';
import { hoursOfSpan, nearestSpan, servedIntervals } from '../heard/served-values.js';
import type { Slots } from '../slots.js';
import type { Question } from './question.js';
import { spansOf, type NamedSpan } from './spans.js';

const candleWords = wordSet('interval', 'candleWords');
/** Behind a length of days or more these say that it is the length of a candle. */
const chartWords = wordSet('interval', 'chartWords');
/** Beside these a longer span is one of the past. */
const pastNouns = wordSet('interval', 'pastNouns');
const before = wordSet('interval', 'before');

/**
 * Reads the length of candles: "4h", "on the daily", "hourly chart". One that no tool takes, such as "15m" or "the weekly", is
 * heard, and the nearest one that is kept stands in its place. A span of the past is none: "the last 4 hours".
 */
export function readInterval(question: Question): void {
  for (const span of spansOf(question)) {
    const interval = servedIntervals.find((each) => Math.abs(hoursOfSpan(each) / span.hours - 1) < 0.001);
    const isDayOfHours = question.tokens[span.from].text === '24';
    const isMeant =
      isOfCandles(question, span) ||
      span.isCompact ||
      span.isOfChart ||
      span.isRepeated ||
      question.isMark(span.from + 1, '-');
    // "The last 4h candle" is one of a chart, "the last 4 hours" are a span of the past.
    const isPast = span.isPast && !(span.isCompact && candleWords.has(question.word(span.to)));
    if (isPast || isDayOfHours) continue;
    if (interval !== undefined && (isMeant || (span.hours < 1 && isLengthOfCandle(question, span)))) {
      question.slots.interval ??= interval as NonNullable<Slots['interval']>;
      question.intervals.add(interval as NonNullable<Slots['interval']>);
      // "RSI on 4h candles" asks for no candles.
      const isBase = question.word(span.from - 1) === 'on' && candleWords.has(question.word(span.to));
      question.take('interval', span.from, isBase ? span.to + 1 : span.to);
    } else if (interval === undefined && isLengthOfCandle(question, span)) hearInterval(question, span);
  }
  readBareLength(question);
}

/** "And on the 15?": a number at the end of a short question is the length of a candle. */
function readBareLength(question: Question): void {
  const at = question.tokens.findLastIndex(({ kind }) => kind !== 'mark');
  const { kind, unit, value = 0 } = question.tokens[at] ?? {};
  const isOn = question.phrase(at - 2, 2) === 'on the' && at < mostBefore;
  if (!isOn || kind !== 'number' || unit !== '' || !question.isFree(at)) return;
  const hours = value === 1 || value === 4 || value === 12 ? value : value / 60;
  const interval = servedIntervals.find((each) => hoursOfSpan(each) === hours);
  if (interval === undefined) return hearInterval(question, { from: at, to: at + 1, hours });
  question.slots.interval ??= interval as NonNullable<Slots['interval']>;
  question.take('interval', at, at + 1);
}
const mostBefore = 7;

function hearInterval(
  question: Question,
  { from, to, hours }: Pick<NamedSpan, 'from' | 'to' | 'hours'>,
): void {
  const value = nearestSpan(servedIntervals, hours)!;
  question.hear('interval', from, to, { value });
  question.slots.interval ??= value as NonNullable<Slots['interval']>;
}

/** "Candles of two hours", "in the graph of 4 hours"; 24 of them are a span. */
const isOfCandles = (question: Question, { from, hours }: NamedSpan): boolean =>
  hours < 24 &&
  question.word(from - 1) === 'of' &&
  (candleWords.has(question.word(from - 2)) || question.word(from - 2) === 'graph');

function isLengthOfCandle(question: Question, span: NamedSpan): boolean {
  const { from, to, hours, isCompact, isRepeated } = span;
  const [last, next] = [question.word(from - 1), question.word(to)];
  if (isOfCandles(question, span)) return true;
  if (hours < 24)
    return !before.has(last) || candleWords.has(next) || (last === 'of' && isCompact && hours < 1);
  const isNamed = chartWords.has(next) || (chartWords.has(question.word(from - 2)) && last === 'on');
  const isOn = last === 'on' || (last === 'the' && question.word(from - 2) === 'on');
  const around = [...question.tokens.keys()].slice(Math.max(0, from - 3), to + 2);
  if (around.some((at) => pastNouns.has(question.word(at))) && !isOn) return false;
  // "My monthly journal" is none.
  if (isRepeated)
    return (
      !['every', 'each', 'per'].includes(last) && !(['my', 'our'].includes(last) && isOrdinaryWord(next))
    );
  if (isNamed && !before.has(last)) return true;
  if (isOn) return true;
  return (
    isCompact &&
    !before.has(last) &&
    [48, 72, 168].includes(hours) &&
    question.tokens[from].raw.toLowerCase() !== '7d'
  );
}
