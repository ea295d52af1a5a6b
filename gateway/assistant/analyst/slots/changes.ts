import { wordTable } from '../word-list.js';
import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';

const signs: Readonly<Record<string, 1 | -1>> = wordTable('changes', 'signs');
const mostChanges = 20;

/** Reads what a portfolio would change by: "add 0.5 BTC", "selling 2 eth and buying 10 sol". */
export function readChanges(question: Question, context: ReadingContext): void {
  const { assets } = context;
  const changes: { asset: string; quantity: number }[] = [];
  let sign: 1 | -1 | undefined = passive(question);
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
  const reduced = changes.length === 0 ? changeBy(question, context) : null;
  if (reduced !== null) changes.push(reduced);
  if (changes.length > 0) question.slots.changes = changes;
}

/** "If 2 more ETH were bought": the deed stands behind. */
function passive({ tokens }: Question): 1 | -1 | undefined {
  const at = tokens.findIndex(
    ({ text }, n) =>
      Object.hasOwn(signs, text) && ['were', 'was', 'are', 'is', 'be', 'been'].includes(tokens[n - 1]?.text),
  );
  return at === -1 ? undefined : signs[tokens[at].text];
}

/** "Reduce my ADA by 1000", "increase BTC by 0.2". */
function changeBy(
  question: Question,
  { assets }: ReadingContext,
): { asset: string; quantity: number } | null {
  const at = question.tokens.findIndex(
    (_, place) => question.word(place - 1) === 'by' && question.number(place)?.unit === '',
  );
  const assetAt = [at - 2, at - 3, at - 4].find((place) => question.slotAt(place) === 'asset');
  if (at === -1 || assetAt === undefined) return null;
  const verbAt = [assetAt - 1, assetAt - 2, assetAt - 3].find((place) =>
    Object.hasOwn(signs, question.word(place)),
  );
  if (verbAt === undefined) return null;
  const word = question.word(assetAt);
  question.take('changes', at, at + 1);
  const asset = assets.symbol(word) ?? assets.named(word) ?? word.toUpperCase();
  return { asset, quantity: signs[question.word(verbAt)] * question.tokens[at].value! };
}
