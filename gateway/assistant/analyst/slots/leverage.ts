import type { Question } from './question.js';

const names = new Set(['leverage', 'lev', 'leveraged']);
const words = new Set(['leverage', 'lev', 'leveraged', 'margin', 'times']);

/** Reads leverage: "5x", "10x leverage", "leverage of 3", "x20", "leveraged 4 times". */
export function readLeverage(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.value === undefined || number.value <= 0 || number.value > 1000) return;
    const before = ['of', 'is', 'at', 'by'].includes(question.word(at - 1)) ? at - 2 : at - 1;
    const isNamed = [before, at + 1].some((place) => names.has(question.word(place)));
    if (number.unit !== 'x' && !(number.unit === '' && (isNamed || question.word(at - 1) === 'x'))) return;
    question.slots.leverage ??= number.value;
    question.take('leverage', at, at + 1);
    if (words.has(question.word(at + 1)) && question.word(at + 1) !== 'margin')
      question.take('leverage', at + 1, at + 2, { keepsWords: true });
  });
}
