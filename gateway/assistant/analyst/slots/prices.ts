import { wordSet, wordTable } from '../word-list.js';
import type { Question } from './question.js';
import type { Token } from '../text/token.js';

type Role = 'entry' | 'stop' | 'target' | 'amount';

const roleOf: Readonly<Record<string, Role>> = wordTable('prices', 'roleOf');

/** Weak cues: they count where no other role is named beside the number, and "of" and "with" for sums of money alone. */
const weak = wordSet('prices', 'weak');
const moneyWords = wordSet('prices', 'moneyWords');
const reach = 4;

/**
 * Reads sums of money and prices: by the words beside them as entry, stop, target or amount ("entry 60k, stop 58k",
 * "70k target", "$10k account"), else as a price. Money without a role is an amount, too.
 */
export function readPrices(question: Question): void {
  const numbers = question.tokens.flatMap((_, at) => (isPlain(question, at) ? [at] : []));
  if (numbers.length === 0) return;
  const isBehind = cueBefore(question, numbers[0]) === null && cueAfter(question, numbers[0]) !== null;
  const loose: number[] = [];
  const money: number[] = [];
  const exits: number[] = [];
  for (const at of numbers) {
    const role = roleAt(question, at, isBehind);
    const value = valueOf(question.tokens[at]);
    const isSum = isMoney(question, at);
    if (
      role !== null &&
      role !== 'amount' &&
      !(role === 'entry' && isRepeated(question)) &&
      isFreeRole(question, role, at)
    ) {
      question.slots[role] = value;
      question.take(role, at, at + 1);
    } else if (role === 'target' && question.slots.target !== undefined) {
      question.slots.targets = [...(question.slots.targets ?? [question.slots.target]), value];
      question.take('target', at, at + 1);
    } else if (
      question.slotAt(question.isMark(at - 1, '-') ? at - 2 : at - 1) === 'entry' ||
      (role === 'entry' && entryEnds.has(question.word(at - 1)))
    ) {
      question.slots.entryTo ??= value;
      question.take('entry', at, at + 1);
    } else if (isExit(question, at)) {
      exits.push(value);
      question.take('stop', at, at + 1);
    } else if (role === 'amount' || isSum || isRepeated(question)) {
      question.slots.amount ??= value;
      question.take('amount', at, moneyWords.has(question.word(at + 1)) ? at + 2 : at + 1);
      if (role !== 'amount') money.push(value);
    } else if (question.word(at + 1) === 'before' && question.slots.target === undefined) {
      question.slots.target = value;
      question.take('target', at, at + 1);
    } else if (isEntryBeside(question, at)) {
      question.slots.entry = value;
      question.take('entry', at, at + 1);
    } else {
      question.take('price', at, at + 1);
      loose.push(value);
    }
  }
  for (const exit of exits) readExit(question, exit);
  const [price = money[0]] = loose;
  if (price !== undefined) question.slots.price ??= price;
  if (loose.length > 0) question.slots.prices ??= loose.slice(0, mostPrices);
}

/** "Entry max 29000, entry min 28500": the other end of the entry. */
const entryEnds = new Set(['min', 'max', 'minimum', 'maximum', 'low', 'high']);

/** "Out at 140" */
const isExit = (question: Question, at: number): boolean =>
  question.word(at - 1) === 'at' && ['exit', 'exiting', 'out'].includes(question.word(at - 2));

/** An exit on the losing side of the entry is the stop, else the target. */
function readExit({ slots, tokens }: Question, exit: number): void {
  const isShort = tokens.some(({ text }) => text.startsWith('short'));
  const isLoss = slots.entry === undefined || (isShort ? exit > slots.entry : exit < slots.entry);
  const role = isLoss && slots.stop === undefined ? 'stop' : 'target';
  slots[role] ??= exit;
}

/** What is bought again and again is an amount: "100 of ETH weekly". */
const isRepeated = ({ slots }: Question): boolean => slots.every !== undefined && slots.amount === undefined;

const mostPrices = 20;

const isMoney = (question: Question, at: number): boolean =>
  question.tokens[at].unit === '$' || moneyWords.has(question.word(at + 1));

const isFreeRole = (question: Question, role: Exclude<Role, 'amount'>, at: number): boolean =>
  question.slots[role] === undefined && !(isMoney(question, at) && role === 'entry' && isSpent(question, at));

/** "At 120" is the entry where a stop or a target is named, too. */
const isEntryBeside = (question: Question, at: number): boolean =>
  question.word(at + 1) !== 'before' &&
  question.word(at - 1) === 'at' &&
  question.slots.entry === undefined &&
  question.tokens.some((_, place) => ['stop', 'target'].includes(roleOf[question.word(place)] ?? ''));

/** "Buy $100 of BTC" is an amount; "buy at $100" is a price. */
const isSpent = (question: Question, at: number): boolean =>
  question.word(at - 1) !== 'at' && question.word(at - 1) !== 'from';

const isPlain = (question: Question, at: number): boolean => {
  const number = question.number(at);
  // "2 ETH" is a quantity, unless a role is named right before it: "stop 14 LINK".
  if (
    number?.unit === '' &&
    question.slotAt(at + 1) === 'asset' &&
    !Object.hasOwn(roleOf, question.word(at - 1))
  )
    return false;
  return number !== undefined && ['', '$', 'm'].includes(number.unit ?? '') && (number.value ?? 0) > 0;
};

const valueOf = ({ value = 0, unit }: Token): number => (unit === 'm' ? value * 1e6 : value);

function roleAt(question: Question, at: number, isBehind: boolean): Role | null {
  const [before, after] = [cueBefore(question, at), cueAfter(question, at)];
  const [first, second] = isBehind ? [after, before] : [before, after];
  if (first !== null && !(weak.has(first) && second !== null && !weak.has(second)))
    return roleWith(question, at, first);
  return second === null ? null : roleWith(question, at, second);
}

function roleWith(question: Question, at: number, cue: string): Role | null {
  const isSum = isMoney(question, at);
  if (['of', 'with', 'put', 'have', 'got'].includes(cue) && !isSum && question.tokens[at].value! < 100)
    return null;
  if (
    ['of', 'with'].includes(cue) &&
    !isSum &&
    !isEach(question, at) &&
    !/(?:[km]|grand|thousand|million|mil)$/i.test(question.tokens[at].raw)
  )
    return null;
  return roleOf[cue];
}

/** "With 1000 each", "100 apiece". */
const isEach = (question: Question, at: number): boolean =>
  ['each', 'apiece', 'per'].includes(question.word(at + 1));

/** The nearest word with a role before the number, with no number between them. */
function cueBefore(question: Question, at: number): string | null {
  const pair = pairBefore(question, at);
  if (pair !== null) return pair;
  if (isSecondOfTwo(question, at)) return 'before';
  // "Stop for all of it at 19"
  const { from } = question.clauseAround(at);
  const isOnly = question.tokens.slice(from, at).every(({ kind }) => kind !== 'number');
  if (isOnly && ['stop', 'target'].includes(roleOf[question.word(from)])) return question.word(from);
  for (let place = at - 1; place >= Math.max(0, at - reach); place--) {
    if (question.tokens[place].kind === 'number' || question.isMark(place, ';')) return null;
    const word = question.word(place);
    if (word === 'to' && !movements.has(question.word(place - 1))) continue;
    if (Object.hasOwn(roleOf, word) && !(word === 'stop' && question.word(place + 1) === 'before'))
      return word;
  }
  return null;
}

/** "70k before it falls to 58k": the number behind "before", with another number ahead of it. */
function isSecondOfTwo(question: Question, at: number): boolean {
  let place = at - 1;
  while (place >= 0 && question.tokens[place].kind !== 'number' && !question.isMark(place, ';')) place--;
  if (place < 0 || question.tokens[place].kind !== 'number') return false;
  const between = Array.from({ length: at - place - 1 }, (_, n) => question.word(place + 1 + n));
  return between.length <= farthest && (between.includes('before') || between.join(' ').includes('prior to'));
}

const farthest = 8;
const accounts = new Set(['account', 'capital', 'balance', 'portfolio', 'bankroll']);

/** Two words before a number that say its role together: "in at 3200", "risk down to 58k", "risking 1% of 5000". */
function pairBefore(question: Question, at: number): string | null {
  const [before, earlier] = [question.word(at - 1), question.word(at - 2)];
  if (['at', 'around', 'near', '@'].includes(before) && earlier === 'in') return 'entry';
  if (before === 'at' && ['loss', 'losses', 'lose'].includes(earlier)) return 'stop';
  const isRisk = [3, 4].some((back) => /^risk(?:ing)?$/.test(question.word(at - back)));
  if (before === 'to' && earlier === 'down' && isRisk) return 'stop';
  if (['of', 'is'].includes(before) && accounts.has(earlier)) return 'capital';
  return before === 'of' && question.slotAt(at - 2) === 'percent' && question.slots.amount === undefined
    ? 'capital'
    : null;
}

/** "To" is the cue of a target behind these: "get to 70k". */
const movements = wordSet('prices', 'movements');

function cueAfter(question: Question, at: number): string | null {
  const start = moneyWords.has(question.word(at + 1)) ? at + 2 : at + 1;
  for (const place of [start, start + 1]) {
    const word = question.word(place);
    if (['before', 'from', 'of', 'with', 'have', 'got', 'to'].includes(word)) return null;
    const isOfNext = ['at', 'is', 'around', 'below', 'near'].includes(question.word(place + 1))
      ? question.tokens[place + 2]?.kind === 'number'
      : question.tokens[place + 1]?.kind === 'number';
    if (Object.hasOwn(roleOf, word) && !isOfNext) return word;
    if (word === '') return null;
  }
  return null;
}

/** The words with a role, for the vocabulary. */
export const priceCues: readonly string[] = Object.keys(roleOf);
