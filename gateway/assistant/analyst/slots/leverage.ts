import type { Question } from './question.js';

/** Reads leverage: "5x", "10x leverage", "leverage of 3", "x20". */
export function readLeverage(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.value === undefined || number.value <= 0 || number.value > 1000) return;
    const isNamed = ['leverage', 'lev'].some(
      (word) =>
        question.word(at - 1) === word ||
        question.word(at + 1) === word ||
        (question.word(at - 2) === word && ['of', 'is', 'at'].includes(question.word(at - 1))),
    );
    if (number.unit !== 'x' && !(number.unit === '' && (isNamed || question.word(at - 1) === 'x'))) return;
    question.slots.leverage ??= number.value;
    question.take('leverage', at, at + 1);
  });
}
