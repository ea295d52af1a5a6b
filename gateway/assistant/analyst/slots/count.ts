import type { Question } from './question.js';

const before = new Set(
  'last top first bottom past previous latest recent next best worst biggest newest show list only'.split(
    ' ',
  ),
);
const candleWords = new Set('candle candles bar bars closes candlesticks periods'.split(' '));
const notCounted = new Set('dollars bucks usd usdt percent account'.split(' '));

/** Reads a number of things, "the last 5 flips", "top ten", and of candles, "within 3 bars". */
export function readCount(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.unit !== '' || !Number.isInteger(number.value)) return;
    const value = number.value!;
    if (value < 1 || value > 20_000) return;
    const after = question.isMark(at + 1, '-') ? question.word(at + 2) : question.word(at + 1);
    if (candleWords.has(after)) {
      question.slots.candles ??= value;
      question.take('candles', at, at + 1);
    } else if (before.has(question.word(at - 1)) && !notCounted.has(after)) {
      question.slots.count ??= value;
      question.take('count', at, at + 1);
    } else if (countedThings.has(after)) {
      question.slots.count ??= value;
      question.take('count', at, at + 1);
    }
  });
}

const countedThings = new Set(
  'flips flip coins assets tokens gainers losers movers trades orders signals patterns levels targets matches results rows channels strategies biggest best worst top most folds paths analogs windows fills events conversations backtests'.split(
    ' ',
  ),
);
