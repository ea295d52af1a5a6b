import { wordList, wordSet, wordTable } from '../word-list.js';
import { defaultPeriod, indicatorAt, priceLines } from './indicator-words.js';
import { periodBefore } from './indicator.js';
import type { Question } from './question.js';

type Op = '<' | '<=' | '>' | '>=' | 'crosses_above' | 'crosses_below';

interface Condition extends Record<string, string> {
  left: string;
  op: Op | '=';
  right: string;
}

/** Comparisons in words; longer ones first. */
const comparisons: readonly (readonly [words: string, op: Op])[] = wordList('conditions', 'comparisons');

const byFirstWord = new Map<string, { words: string; length: number; op: Op }[]>();
for (const [words, op] of comparisons) {
  const split = words.split(' ');
  byFirstWord.set(split[0], [...(byFirstWord.get(split[0]) ?? []), { words, length: split.length, op }]);
}

const marks: Readonly<Record<string, Op>> = { '<': '<', '>': '>', '<=': '<=', '>=': '>=' };

const mostConditions = 6;

/** Words of prices; a comparison without a left side is one of the close, too. */
const priceWords = new Set(['price', 'prices', 'close', 'closing', 'closes']);
/** Words that may stand between the sides of a condition. */
const fillers = wordSet('conditions', 'fillers');
const timeUnits = wordSet('conditions', 'timeUnits');

/** A comparison and where it stands. */
interface Comparison {
  op: Op;
  from: number;
  to: number;
}

/** A side of a condition. */
interface Side {
  name: string;
  from: number;
  to: number;
}

/** Reads the conditions of a screener where no asset is named: "rsi below 30 and above its 200-day average". */
export function readConditions(question: Question): void {
  if (question.namesAsset) return;
  readSorting(question);
  const conditions: Condition[] = readRanges(question);
  conditions.push(...foundConditions(question, conditions).map(({ condition }) => condition));
  conditions.push(...namedConditions(question, conditions));
  if (conditions.length === 0) return;
  question.slots.conditions = conditions.slice(0, mostConditions);
  if (conditions.length > 1)
    question.slots.join = question.tokens.some((_, at) => question.word(at) === 'or') ? 'or' : 'and';
}

/** A condition, and the place of its first word. */
export interface FoundCondition {
  condition: Condition;
  from: number;
}

/** The comparisons of a question, behind those that are found already. */
export function foundConditions(question: Question, before: readonly Condition[] = []): FoundCondition[] {
  const found: FoundCondition[] = [];
  let last = before.at(-1);
  for (const comparison of comparisonsOf(question)) {
    const own = leftSide(question, comparison.from);
    const again = found.findLast(({ condition }) => own === null || condition.left === own.name);
    const right = rightSide(question, comparison.to) ?? sameRight(again, comparison);
    if (right === null || before.length + found.length === mostConditions) continue;
    // "Under RSI 35".
    const [, line, level] = (own === null ? /^(rsi|adx|mfi|cci)_(\d+)$/.exec(right.name) : null) ?? [];
    if (line !== undefined) {
      last = { left: line === 'cci' ? 'cci_20' : `${line}_14`, op: comparison.op, right: level };
      found.push({ condition: last, from: comparison.from });
      question.take('conditions', comparison.from, right.to);
      continue;
    }
    const isAgain = right.from === right.to;
    const left = own?.name ?? (isLine(right.name) && !isAgain ? 'close' : last?.left);
    if (left === undefined) continue;
    last = { left, op: comparison.op, right: right.name === 'signal' ? `${left}_signal` : right.name };
    const from = own?.from ?? comparison.from;
    found.push({ condition: last, from });
    question.take('conditions', from, right.to);
  }
  return found;
}

/** "... macd crosses above its signal, exit when it crosses back below": the other side is that of the comparison before. */
const sameRight = (again: FoundCondition | undefined, { op, to }: Comparison): Side | null =>
  again === undefined || !op.startsWith('crosses') ? null : { name: again.condition.right, from: to, to };

/** "RSI between 40 and 50", "adx from 20 to 30": both edges of a range. */
function readRanges(question: Question): Condition[] {
  return question.tokens.flatMap((_, at) => {
    if (!['between', 'from'].includes(question.word(at))) return [];
    const low = rightSide(question, at + 1);
    if (low === null || !['and', 'to'].includes(question.word(low.to))) return [];
    const high = rightSide(question, low.to + 1);
    const left = leftSide(question, at);
    if (high === null || left === null || isNaN(Number(low.name)) || isNaN(Number(high.name))) return [];
    question.take('conditions', left.from, high.to);
    return [
      { left: left.name, op: '>=', right: low.name },
      { left: left.name, op: '<=', right: high.name },
    ] satisfies Condition[];
  });
}

/** "Sorted by RSI", "order by volume": the field that a screener sorts by, and which end comes first. */
function readSorting(question: Question): void {
  const sortAt = question.tokens.findIndex((_, at) => sorting.has(question.word(at)));
  if (sortAt === -1) return;
  const byAt = [1, 2, 3].map((step) => sortAt + step).find((at) => question.word(at) === 'by');
  if (byAt === undefined) return;
  const start = ['the', 'highest', 'lowest', 'largest', 'their', 'its'].includes(question.word(byAt + 1))
    ? byAt + 2
    : byAt + 1;
  const line = lineAt(question, start);
  const word = question.word(start);
  const field = line?.name ?? (Object.hasOwn(sortFields, word) ? sortFields[word] : undefined);
  if (field === undefined) return;
  const isLargestFirst =
    question.tokens.some((_, at) => largestFirst.has(question.word(at))) || largestByNature.has(field);
  question.slots.sortBy = isLargestFirst ? `-${field}` : field;
  question.take('sortBy', sortAt, line?.to ?? start + 1);
}

const sorting = wordSet('conditions', 'sorting');
const sortFields: Readonly<Record<string, string>> = wordTable('conditions', 'sortFields');
/** People who sort by these want the largest first. */
const largestByNature = new Set(['volume', 'change']);
const largestFirst = new Set(['highest', 'largest', 'descending', 'desc', 'biggest']);

function comparisonsOf(question: Question): Comparison[] {
  const found: Comparison[] = [];
  for (let at = 0; at < question.tokens.length; at++) {
    const read = comparisonAt(question, at);
    if (read === null) continue;
    found.push(read);
    at = read.to - 1;
  }
  return found;
}

function comparisonAt(question: Question, at: number): Comparison | null {
  if (at >= question.tokens.length) return null;
  const { kind, text } = question.tokens[at];
  if (kind === 'mark' && Object.hasOwn(marks, text)) return { op: marks[text], from: at, to: at + 1 };
  if (kind !== 'word' || !question.isFree(at)) return null;
  // "Crosses back below" is "crosses below".
  const back = question.word(at + 1) === 'back' ? 1 : 0;
  const found = byFirstWord
    .get(text)
    ?.find(
      ({ words, length }) =>
        length === 1 || `${text} ${question.phrase(at + 1 + back, length - 1)}` === words,
    );
  const skipped = found === undefined || found.length === 1 ? 0 : back;
  return found === undefined ? null : { op: found.op, from: at, to: at + found.length + skipped };
}

/** The place of the first word that may not stand between the sides of a condition. */
function behindFillers(question: Question, start: number): number {
  let at = start;
  while (fillers.has(question.word(at))) at++;
  return at;
}

/** The side that follows a comparison: a line, a field or a number that is no span of time. */
function rightSide(question: Question, start: number): Side | null {
  const at = behindFillers(question, start);
  const line = lineAt(question, at);
  if (line !== null) return line;
  if (question.word(at) === 'signal')
    return { name: 'signal', from: at, to: question.word(at + 1) === 'line' ? at + 2 : at + 1 };
  if (question.word(at) === 'zero') return { name: '0', from: at, to: at + 1 };
  const isNegative = question.isMark(at, '-') || question.word(at) === 'minus';
  const place = isNegative ? at + 1 : at;
  const number = question.number(place);
  if (
    number === undefined ||
    !['', '%'].includes(number.unit ?? '') ||
    timeUnits.has(question.word(place + 1))
  )
    return null;
  return { name: `${isNegative ? '-' : ''}${number.value}`, from: at, to: place + 1 };
}

/** The side that ends before a comparison, with a few words between them. */
function leftSide(question: Question, end: number): Side | null {
  for (let at = end - 1; at >= Math.max(0, end - 6); at--) {
    if (!question.isFree(at)) return null;
    const line = lineAt(question, at);
    if (line !== null && line.to <= end && allFillers(question, line.to, end))
      return wider(question, line, at);
    if (priceWords.has(question.word(at))) return { name: 'close', from: at, to: at + 1 };
    if (['up', 'gained', 'rose', 'risen'].includes(question.word(at)))
      return { name: 'change', from: at, to: at + 1 };
  }
  return null;
}

/** An indicator of several words is found by its last word first. */
function wider(question: Question, line: Side, at: number): Side {
  for (const back of [3, 2, 1]) {
    const longer = lineAt(question, at - back);
    if (longer !== null && longer.to >= line.to && longer.from < line.from) return longer;
  }
  return line;
}

const allFillers = (question: Question, from: number, to: number): boolean =>
  question.tokens.slice(from, to).every(({ kind, text }) => kind !== 'number' && fillers.has(text));

/** An indicator as a field of the screener: "200-day average", "RSI 14", "upper Bollinger band", "macd". */
function lineAt(question: Question, start: number): Side | null {
  const number = question.number(start);
  const first = number === undefined ? start : behindSpan(question, start);
  const edge = ['upper', 'lower', 'middle'].includes(question.word(first)) ? question.word(first) : '';
  const at = edge === '' ? first : first + 1;
  if (at < 0) return null;
  const isFreeWord = (place: number) => (question.isFree(place) ? question.word(place) : '');
  const found =
    indicatorAt(isFreeWord, at) ??
    (edge !== '' && ['band', 'bands'].includes(question.word(at))
      ? { name: 'bollinger', end: at + 1 }
      : null);
  if (found === null) return null;
  const before = number === undefined ? null : periodBefore(question, at);
  if (number !== undefined && before === null) return null;
  const behind = before === null ? question.number(found.end) : undefined;
  const isPeriod =
    behind?.unit === '' &&
    Number.isInteger(behind.value) &&
    behind.value! > 1 &&
    (comparisonAt(question, behindFillers(question, found.end + 1)) !== null ||
      behind.isJoined === true ||
      comparisonAt(question, start - 1) !== null ||
      question.isMark(found.end + 1, ',') ||
      found.end + 1 >= question.tokens.length);
  const period = before?.period ?? (isPeriod ? behind.value : undefined) ?? defaultPeriod(found.name);
  const to = isPeriod
    ? found.end + 1
    : ['band', 'bands'].includes(question.word(found.end))
      ? found.end + 1
      : found.end;
  const isBand = found.name === 'bollinger' || found.name === 'keltner' || found.name === 'donchian';
  const output = isBand
    ? `_${edge === '' ? (/\blower\b/.test(question.word(found.end)) ? 'lower' : 'upper') : edge}`
    : '';
  return {
    name: `${fieldOf(found.name)}${output}${period === undefined ? '' : `_${period}`}`,
    from: start,
    to,
  };
}

/** The place behind a number and the words of its span: "200-day", "50 period". */
function behindSpan(question: Question, at: number): number {
  let end = at + 1;
  while (
    question.isMark(end, '-') ||
    ['day', 'days', 'hour', 'period', 'candle', 'week'].includes(question.word(end))
  )
    end++;
  return end;
}

/** The field of the output that people mean by the name of an indicator. */
const fieldOf = (name: string): string =>
  ({
    stochastic: 'stochastic_k',
    stoch_rsi: 'stoch_rsi_k',
    session_vwap: 'session_vwap',
    ichimoku: 'ichimoku_kijun',
  })[name] ?? name;

const isLine = (name: string): boolean =>
  [...priceLines].some((line) => name.startsWith(line)) || /^(?:bollinger|keltner|donchian)_/.test(name);

/** Conditions with names of their own. */
const named: Readonly<Record<string, Condition>> = wordList('conditions', 'named');

const marketWords = wordSet('conditions', 'marketWords');

/** "Oversold coins", "anything with a golden cross"; not where the same field is compared already. */
function namedConditions(question: Question, conditions: readonly Condition[]): Condition[] {
  const isOfMarket =
    conditions.length > 0 || question.tokens.some((_, at) => marketWords.has(question.word(at)));
  if (!isOfMarket) return [];
  return Object.entries(named).flatMap(([words, condition]) => {
    const length = words.split(' ').length;
    const at = question.tokens.findIndex(
      (_, place) => question.isFree(place) && question.phrase(place, length) === words,
    );
    if (at === -1) return [];
    question.take('conditions', at, at + length);
    return conditions.some(({ left }) => left === condition.left) ? [] : [condition];
  });
}

/** A state beside other conditions is a condition, too: "in accumulate with RSI below 50". */
export function readStateCondition({ slots }: Question): void {
  const { state, conditions = [] } = slots;
  if (state === undefined || conditions.length === 0 || conditions.length === mostConditions) return;
  slots.conditions = [...conditions, { left: 'state', op: '=', right: state }];
  slots.join ??= 'and';
}
