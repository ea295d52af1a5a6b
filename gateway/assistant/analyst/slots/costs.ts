import type { Question } from './question.js';

const fees = new Set(['fee', 'fees', 'commission', 'commissions']);
const without = new Set(['no', 'without', 'zero', 'ignoring', 'excluding']);

/** Reads the costs of a backtest: "0.2 % fees", "slippage of 0.1 %", "without fees". */
export function readCosts(question: Question): void {
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    const slot = fees.has(word) ? 'feePercent' : word === 'slippage' ? 'slippagePercent' : undefined;
    if (slot === undefined) return;
    const place = [at - 1, at - 2, at + 1, at + 2, at + 3].find((each) => isShare(question, each));
    if (place !== undefined) {
      question.slots[slot] ??= question.number(place)!.value!;
      question.take(slot, place, place + 1);
      question.noteChoice(slot, at, at + 1);
    } else {
      // "No fees", "fees at zero"
      const isBefore = without.has(question.word(at - 1));
      const zero = [at + 1, at + 2].find((each) => question.word(each) === 'zero');
      if (!isBefore && zero === undefined) return;
      question.slots[slot] ??= 0;
      const [from, to] = isBefore ? [at - 1, at + 1] : [at, zero! + 1];
      question.noteChoice(slot, from, to);
      question.take(slot, from, to, { keepsWords: true });
    }
  });
}

const isShare = (question: Question, at: number): boolean => {
  const number = question.number(at);
  return (
    number !== undefined &&
    (number.unit === '%' || (number.unit === '' && number.value! <= 5 && !Number.isInteger(number.value)))
  );
};
