import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';

const signs: Readonly<Record<string, 1 | -1>> = {
  add: 1,
  adding: 1,
  added: 1,
  buy: 1,
  buying: 1,
  bought: 1,
  more: 1,
  sell: -1,
  selling: -1,
  sold: -1,
  remove: -1,
  removing: -1,
  reduce: -1,
  trim: -1,
  drop: -1,
  less: -1,
  dump: -1,
};
const mostChanges = 20;

/** Reads what a portfolio would change by: "add 0.5 BTC", "selling 2 eth and buying 10 sol". */
export function readChanges(question: Question, { assets }: ReadingContext): void {
  const changes: { asset: string; quantity: number }[] = [];
  let sign: 1 | -1 | undefined;
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    if (Object.hasOwn(signs, word) && !(word === 'more' && sign !== undefined)) sign = signs[word];
    const number = question.number(at);
    const next = question.word(at + 1) === 'more' ? at + 2 : at + 1;
    if (
      sign === undefined ||
      number?.unit !== '' ||
      question.slotAt(next) !== 'asset' ||
      changes.length === mostChanges
    )
      return;
    const asset =
      assets.symbol(question.word(next)) ??
      assets.named(question.word(next)) ??
      question.word(next).toUpperCase();
    changes.push({ asset, quantity: sign * number.value! });
    question.take('changes', at, at + 1);
  });
  if (changes.length > 0) question.slots.changes = changes;
}
