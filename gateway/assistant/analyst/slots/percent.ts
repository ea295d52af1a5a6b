import type { Question } from './question.js';

/** Reads a share in percent: "2 %", "half a percent". */
export function readPercent(question: Question): void {
  question.tokens.forEach((_, at) => {
    const number = question.number(at);
    if (number?.unit !== '%') return;
    question.slots.percent ??= number.value!;
    question.take('percent', at, at + 1);
  });
}
