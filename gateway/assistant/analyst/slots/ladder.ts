import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';

/** Words for a multiple of the first buy. */
const multiples: Readonly<Record<string, number>> = wordTable('ladder', 'multiples');

/** What may stand between the size of a buy and "at". */
const fillers = wordSet('ladder', 'fillers');
const mostFillers = 4;

/** One buy of a ladder: its price, and its size as a sum or as a multiple of the first. */
interface Step {
  price: number;
  sum?: number;
  multiple?: number;
}

/** Reads buys of different size at several prices: "100 at 3000, then 2x that at 2800 and 3x at 2600". */
export function readLadder(question: Question): void {
  const read = question.tokens.flatMap((_, at) => stepsAt(question, at));
  if (read.length < 2) return;
  const steps = read.map(({ step }) => step).sort((one, other) => other.price - one.price);
  const [first] = steps;
  const unit = first.sum ?? first.multiple ?? 1;
  const sizes = steps.map(({ sum, multiple }) =>
    first.sum !== undefined && multiple !== undefined ? multiple : (sum ?? multiple ?? 1) / unit,
  );
  if (first.sum !== undefined) question.slots.amount ??= first.sum;
  question.slots.prices = steps.map(({ price }) => price);
  question.slots.multipliers = sizes.slice(1).map((size) => Number(size.toPrecision(6)));
  for (const { from, to } of read) {
    question.take('amount', from, Math.max(from + 1, to - 1));
    question.take('price', to - 1, to);
  }
}

/** A buy, and those of the same size behind it: "100 at 58000 and 55000". */
function stepsAt(question: Question, from: number): { step: Step; from: number; to: number }[] {
  const first = stepAt(question, from);
  if (first === null) return sizedBehind(question, from);
  const steps = [first];
  for (let at = first.to; ; at += 2) {
    const isJoined = question.isMark(at, ',') || ['and', 'then'].includes(question.word(at));
    const price = question.number(at + 1);
    const isPrice = price !== undefined && ['', '$'].includes(price.unit ?? '') && (price.value ?? 0) > 0;
    if (!isJoined || !isPrice || stepAt(question, at + 1) !== null || steps.length > mostSteps) return steps;
    steps.push({ step: { ...first.step, price: price.value! }, from, to: at + 2 });
  }
}

const mostSteps = 20;

/** "29400 with 600 usdt", "1200 for 500", "27500 1.5x": the size behind the price. */
function sizedBehind(question: Question, at: number): { step: Step; from: number; to: number }[] {
  const price = question.number(at);
  const isWith = ['with', 'for'].includes(question.word(at + 1));
  const from = isWith ? at + 2 : at + 1;
  const size = sizeAt(question, from);
  if (
    size === null ||
    !['', '$'].includes(price?.unit ?? 'x') ||
    !(isWith || question.tokens[from].unit === 'x')
  )
    return [];
  return [{ step: { price: price!.value!, ...size }, from, to: at + 1 }];
}

/** A buy whose size stands at a place: the size, a few words, "at", and the price. */
function stepAt(question: Question, from: number): { step: Step; from: number; to: number } | null {
  const size = sizeAt(question, from);
  if (size === null) return null;
  let at = from + 1;
  while (at <= from + mostFillers && (fillers.has(question.word(at)) || question.slotAt(at) === 'asset'))
    at++;
  if (question.word(at) !== 'at') return null;
  const price = question.number(at + 1);
  if (price?.value === undefined || !['', '$'].includes(price.unit ?? '') || price.value <= 0) return null;
  return { step: { price: price.value, ...size }, from, to: at + 2 };
}

function sizeAt(question: Question, at: number): Pick<Step, 'sum' | 'multiple'> | null {
  if (!question.isFree(at)) return null;
  const word = question.word(at);
  if (Object.hasOwn(multiples, word)) return { multiple: multiples[word] };
  const { value = 0, unit } = question.number(at) ?? {};
  if (value <= 0 || question.slotAt(at + 1) === 'asset') return null;
  if (unit === 'x' || question.word(at + 1) === 'times') return { multiple: value };
  return unit === '' || unit === '$' ? { sum: value } : null;
}
