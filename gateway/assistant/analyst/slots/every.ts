import type { Question } from './question.js';
import type { Slots } from '../slots.js';

const words: Readonly<Record<string, NonNullable<Slots['every']>>> = {
  daily: 'day',
  day: 'day',
  weekly: 'week',
  week: 'week',
  monthly: 'month',
  month: 'month',
};
const adverbs = new Set(['daily', 'weekly', 'monthly']);
const cues = new Set(['every', 'each', 'per', 'once']);

/** Reads how often something is repeated: "every week", "monthly", "$50 a week". */
export function readEvery(question: Question): void {
  question.tokens.forEach(({ kind, unit, value }, at) => {
    const ofNumber =
      kind === 'number' && value === 1 ? (unit === '' ? question.word(at + 1) : unit) : undefined;
    const word = ofNumber ?? question.word(at);
    if (word === undefined || !Object.hasOwn(words, word)) return;
    const followsAmount = at > 0 && question.tokens[at - 1].kind === 'number';
    const before = question.word(at - 1);
    if (!adverbs.has(word) && !cues.has(before) && !followsAmount) return;
    if (adverbs.has(word) && isOfChart(question, at)) return;
    // "10 day" and "a month of data" are spans; "$50 a month" is a repetition.
    if (followsAmount && !adverbs.has(word) && !cues.has(before) && ofNumber === undefined) return;
    question.slots.every ??= words[word];
    question.take('every', at, at + (ofNumber !== undefined && unit === '' ? 2 : 1));
  });
}

const isOfChart = (question: Question, at: number): boolean =>
  [
    'chart',
    'candles',
    'candle',
    'timeframe',
    'interval',
    'close',
    'average',
    'ma',
    'sma',
    'ema',
    'rsi',
  ].includes(question.word(at + 1)) || ['on', 'the'].includes(question.word(at - 1));
