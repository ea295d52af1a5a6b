import type { Question } from './question.js';
import { spansOf } from './spans.js';
import type { Slots } from '../slots.js';

const byHours: ReadonlyMap<number, NonNullable<Slots['interval']>> = new Map([
  [1, '1h'],
  [4, '4h'],
  [24, '1d'],
]);

const candleWords = new Set(['candle', 'candles', 'bar', 'bars', 'chart', 'close', 'closes']);

/** Reads the length of candles: "4h", "on the daily", "hourly chart". A span of the past is none: "the last 4 hours". */
export function readInterval(question: Question): void {
  for (const span of spansOf(question)) {
    const interval = byHours.get(span.hours);
    const isDayOfHours = question.tokens[span.from].text === '24';
    const isMeant =
      span.isCompact || span.isOfChart || span.isRepeated || question.isMark(span.from + 1, '-');
    // "The last 4h candle" is one of a chart, "the last 4 hours" are a span of the past.
    const isPast = span.isPast && !(span.isCompact && candleWords.has(question.word(span.to)));
    if (interval === undefined || isPast || isDayOfHours || !isMeant) continue;
    question.slots.interval ??= interval;
    question.take('interval', span.from, span.to);
  }
}
