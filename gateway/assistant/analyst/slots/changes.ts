import { wordTable } from '../word-list.js';
import type { AssetWords } from './asset-words.js';
import type { Question } from './question.js';
import type { ReadingContext } from './reading-context.js';

const signs: Readonly<Record<string, 1 | -1>> = wordTable('changes', 'signs');
const fractions: Readonly<Record<string, number>> = wordTable('changes', 'fractions');
const mostChanges = 20;

/** Reads what a portfolio would change by: "add 0.5 BTC", "selling 2 eth and buying 10 sol". */
export function readChanges(question: Question, context: ReadingContext): void {
  const { assets } = context;
  const changes: { asset: string; quantity: number }[] = [];
  let sign: 1 | -1 | undefined = passive(question);
  question.tokens.forEach((_, at) => {
    const word = question.word(at);
    if (Object.hasOwn(signs, word) && !(word === 'more' && sign !== undefined)) sign = signs[word];
    const isHalf = word === 'half' && ['a', 'an'].includes(question.word(at + 1));
    if (isHalf && sign !== undefined && question.slotAt(at + 2) === 'asset') {
      changes.push({ asset: assetAt(question, at + 2, assets), quantity: sign / 2 });
      question.take('changes', at, at + 2);
      return;
    }
    const number = question.number(at);
    const next = question.word(at + 1) === 'more' ? at + 2 : at + 1;
    if (
      sign === undefined ||
      number?.unit !== '' ||
      question.slotAt(next) !== 'asset' ||
      changes.length === mostChanges
    )
      return;
    // "A twentieth of a bitcoin"
    const share = question.word(at - 1) === 'of' ? fractions[question.word(at - 2)] : undefined;
    changes.push({ asset: assetAt(question, next, assets), quantity: sign * (share ?? 1) * number.value! });
    question.take('changes', share === undefined ? at : at - 2, at + 1);
  });
  const reduced = changes.length === 0 ? changeBy(question, context) : null;
  if (reduced !== null) changes.push(reduced);
  if (changes.length > 0) question.slots.changes = changes;
}

function assetAt(question: Question, at: number, assets: AssetWords): string {
  const word = question.word(at);
  return assets.symbol(word) ?? assets.named(word) ?? word.toUpperCase();
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
    (_, n) => question.word(n - 1) === 'by' && question.number(n)?.unit === '',
  );
  const place = [at - 2, at - 3, at - 4].find((each) => question.slotAt(each) === 'asset');
  if (at === -1 || place === undefined) return null;
  const verbAt = [place - 1, place - 2, place - 3].find((each) => Object.hasOwn(signs, question.word(each)));
  if (verbAt === undefined) return null;
  question.take('changes', at, at + 1);
  return {
    asset: assetAt(question, place, assets),
    quantity: signs[question.word(verbAt)] * question.tokens[at].value!,
  };
}
