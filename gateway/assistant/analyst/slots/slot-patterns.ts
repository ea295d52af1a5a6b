import { dataFile } from '../data-file.js';
import type { HeardKind, Question } from './question.js';
import type { SlotName } from '../slots.js';

/** How a slot is said: the number or the words of a pattern are its value. */
interface StoredRow {
  slot: SlotName;
  /** Patterns between bars. */
  patterns?: string;
  /** The same by value, where words stand for one. */
  values?: Readonly<Record<string, string>>;
  /** Groups of words, of each of which one must stand in the question; and one of which none may. */
  beside?: readonly string[];
  notBeside?: string;
  least?: number;
  most?: number;
  /** "80 %" is 0.8, as 80 and 0.8 are. */
  isShare?: true;
  isWhole?: true;
  /** Whether the words count for what is asked, beside the slot. */
  keepsWords?: true;
  /** Whether no tool has a value for it: it is heard, and named. */
  isHeard?: true;
}

type Stage = 'first' | 'numbers' | 'last';

const { groups, ...stages } = dataFile<
  { groups: Readonly<Record<string, string>> } & Record<Stage, readonly StoredRow[]>
>('slot-patterns');

/** What one place of a pattern may be. */
interface Element {
  fits: (question: Question, at: number) => boolean;
  /** How many tokens it may take. */
  least: number;
  most: number;
  isNumber: boolean;
  /** In brackets: it must be there, and does not belong to the slot. */
  isContext: boolean;
}

/** The kinds of numbers by the units that they may have. */
const units: Readonly<Record<string, readonly string[]>> = {
  '#': [''],
  '#.': [''],
  '#%': ['%'],
  '#x': ['x'],
  '#$': ['', '$', 'm'],
  $: ['$'],
};
/** "Fees of 0.2": a plain number up to this size with decimals is a share. */
const largestShare = 5;

const isNumberOf = (body: string, question: Question, at: number): boolean => {
  const { unit = '', value = 0 } = question.number(at) ?? { unit: 'none' };
  return units[body].includes(unit) && (body !== '#.' || (value <= largestShare && !Number.isInteger(value)));
};

/** `a|b` are words or marks, `<name>` those of a group, `{asset}` a slot, `..3` up to three words; "!" before says what may not be there. */
function elementOf(text: string, isContext: boolean): Element {
  const [, not, body, count] = /^(!?)(.+?)(\?|(?<=\.\.)\d)?$/.exec(text)!;
  const isNumber = Object.hasOwn(units, body);
  const words = new Set(
    body.split('|').flatMap((each) => (/^<\w+>$/.test(each) ? groups[each.slice(1, -1)].split(' ') : [each])),
  );
  const isThere = (question: Question, at: number): boolean => {
    const { kind, text: word = '' } = question.tokens[at] ?? {};
    if (isNumber) return isNumberOf(body, question, at);
    if (body.startsWith('{')) return question.slotAt(at) === body.slice(1, -1);
    return body === '..' ? kind !== undefined && kind !== 'number' : kind !== 'number' && words.has(word);
  };
  return {
    fits: (question, at) =>
      not === '' ? isThere(question, at) && (isContext || question.isFree(at)) : !isThere(question, at),
    least: count === undefined ? 1 : 0,
    most: Number(count ?? 1) || 1,
    isNumber,
    isContext: isContext || not !== '',
  };
}

function elementsOf(pattern: string): Element[] {
  let isContext = false;
  return pattern.split(' ').map((text) => {
    isContext ||= text.startsWith('(');
    const element = elementOf(text.replace(/^\(|\)$/g, ''), isContext);
    if (text.endsWith(')')) isContext = false;
    return element;
  });
}

interface Row extends StoredRow {
  ways: readonly { elements: readonly Element[]; value: string | undefined }[];
}

const waysOf = (patterns: string, value?: string) =>
  patterns.split(' | ').map((pattern) => ({ elements: elementsOf(pattern), value }));

const rowsOf = (rows: readonly StoredRow[]): Row[] =>
  rows.map((row) => ({
    ...row,
    ways: [
      ...(row.patterns === undefined ? [] : waysOf(row.patterns)),
      ...Object.entries(row.values ?? {}).flatMap(([value, patterns]) => waysOf(patterns, value)),
    ].sort((one, other) => other.elements.length - one.elements.length),
  }));

const rowsByStage: Readonly<Record<Stage, readonly Row[]>> = {
  first: rowsOf(stages.first),
  numbers: rowsOf(stages.numbers),
  last: rowsOf(stages.last),
};

/** The words for exchanges, for the vocabulary. */
export const exchangeWords: readonly string[] = stages.last
  .filter(({ slot }) => slot === 'exchange')
  .flatMap(({ values = {} }) => Object.values(values));

/** The tokens that a pattern takes from a place on, each with its element; the longest way counts. */
function tokensFrom(
  elements: readonly Element[],
  question: Question,
  at: number,
): { at: number; element: Element }[] | null {
  const [element, ...rest] = elements;
  if (element === undefined) return [];
  let most = 0;
  while (most < element.most && element.fits(question, at + most)) most++;
  for (let count = most; count >= element.least; count--) {
    const behind = tokensFrom(rest, question, at + count);
    if (behind !== null)
      return [...Array.from({ length: count }, (_, n) => ({ at: at + n, element })), ...behind];
  }
  return null;
}

/** Reads the slots whose patterns are data. They are read in stages, because other readers take tokens between them. */
export const readPatterns =
  (stage: Stage) =>
  (question: Question): void => {
    const hasNumber = question.tokens.some(({ kind }) => kind === 'number');
    const has = (group: string) =>
      question.tokens.some((_, at) => groups[group.slice(1, -1)].split(' ').includes(question.word(at)));
    for (const row of rowsByStage[stage]) {
      if (row.values === undefined && !hasNumber) continue;
      if (row.beside?.every(has) === false || (row.notBeside !== undefined && has(row.notBeside))) continue;
      for (let at = -1; at < question.tokens.length; at++) readRow(row, question, at);
    }
  };

function readRow(row: Row, question: Question, start: number): void {
  for (const { elements, value } of row.ways) {
    const found = tokensFrom(elements, question, start);
    if (found === null) continue;
    const number = found.find(({ element }) => element.isNumber)?.at;
    const read = number === undefined ? value : valueOf(row, question, number);
    if (read === undefined) continue;
    const own = found.filter(({ element }) => !element.isContext).map(({ at }) => at);
    const [from, to] = [Math.min(...own), Math.max(...own) + 1];
    if (row.isHeard) question.hear(row.slot as HeardKind, from, to);
    else if (question.slots[row.slot] === undefined)
      Object.assign(question.slots, { [row.slot]: isNaN(Number(read)) ? read : Number(read) });
    question.take(row.slot, from, to, { keepsWords: row.keepsWords === true });
    for (const { at } of found)
      if ((row.keepsWords || question.isFree(at)) && question.word(at) !== '')
        question.noteChoice(row.slot, at, at + 1);
    return;
  }
}

function valueOf(
  { isShare, isWhole, least = 0, most = Infinity }: Row,
  question: Question,
  at: number,
): number | undefined {
  const { value = 0, unit } = question.tokens[at];
  const scaled = unit === 'm' ? value * 1e6 : value;
  const read = isShare && (unit === '%' || value > 1) ? scaled / 100 : scaled;
  return read < least || read > most || (isWhole && !Number.isInteger(read)) ? undefined : read;
}
