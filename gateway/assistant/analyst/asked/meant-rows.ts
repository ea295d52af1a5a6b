import { hoursOfSpan } from '../heard/served-values.js';
import type { Token } from '../text/token.js';
import { termOf } from '../vocabulary/words.js';
import { wordList, wordSet, wordTable } from '../word-list.js';

/** Numbers that tell rows apart: "20 candles later", "CVaR 99". */
const numericKeys = wordSet('output-fields', 'numericKeys');
const notKeys = wordSet('output-fields', 'notKeys');
/** Words of a row that a question names with others of its words: the title beside the name. */
export const onlyLabels = wordSet('output-fields', 'onlyLabels');
const hoursOf = wordTable<number>('output-fields', 'hours');
const isFigure = /^[-\d.]+$|^\d{4}-\d\d-\d\d/;
const longestKey = 40;

/** Whether a field of a row tells which row it is. */
export const isKey = (name: string, value: unknown): boolean =>
  typeof value === 'number'
    ? numericKeys.has(name)
    : typeof value === 'string' &&
      !notKeys.has(name) &&
      !name.endsWith('Reason') &&
      (!isFigure.test(value) || numericKeys.has(name)) &&
      value.length <= longestKey;

/** The stems of a question by place; letters alone stand for themselves: "n" and "r squared" are no "and" and "are". */
export const stemsOf = (tokens: readonly Token[]): string[] =>
  tokens.map(({ kind, text, raw }) =>
    /^[a-z]$/i.test(raw) ? raw.toLowerCase() : kind === 'word' ? termOf(text) : kind === 'number' ? text : '',
  );

/** The number at a place of the question that may be a key of that name, and the places of its words: "20 candles", "CVaR 99". */
export function numberOf(
  tokens: readonly Token[],
  at: number,
  key: string,
): { value: number; places: readonly number[] } | undefined {
  const { kind, value, unit = '' } = tokens[at];
  if (kind !== 'number' || value === undefined) return undefined;
  const isOf = (words: string | undefined, text = '-') => words?.split(' ').includes(text) === true;
  const [next, afterNext] = [tokens[at + 1]?.text, tokens[at + 2]?.text];
  if (isOf(keyWords[key], next)) return { value, places: [at, at + 1] };
  if (/^(?:percent|[a-z]+ly|\W)$/.test(next ?? '') && isOf(keyWords[key], afterNext))
    return { value, places: [at, at + 1, at + 2] };
  const isHeaded = unit === '' && isOf(keyHeads[key], tokens[at - 1]?.text);
  return isHeaded || isOf(keyWords[key], unit)
    ? { value, places: isHeaded ? [at - 1, at] : [at] }
    : undefined;
}
const keyWords: Readonly<Record<string, string>> = wordList('output-fields', 'keyWords');
const keyHeads: Readonly<Record<string, string>> = wordList('output-fields', 'keyHeads');
/** Words before a state that is reached: "to accumulate", "goes accumulate". */
const towards = wordSet('output-fields', 'towards');

/** The rows of a list that a question means by words for their values: "to accumulate", "20 candles later", "with the RSI". */
export class MeantRows {
  readonly #tokens: readonly Token[];
  readonly #stems: readonly string[];
  readonly #hours: ReadonlySet<number>;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#stems = stemsOf(tokens);
    this.#hours = new Set(tokens.map((_, at) => this.#hoursAt(at)));
  }

  /**
   * The rows that are meant: all where the question names no value of theirs. `none`: what is named and no row has together. An asset
   * means its rows only where the list is asked for.
   */
  of<Row>(rows: readonly Row[], isAsked = true): { rows: readonly Row[]; none?: string } {
    const meant = new Map<string, Set<unknown>>();
    for (const row of rows)
      for (const [name, value] of Object.entries(row ?? {}))
        if (
          isKey(name, value) &&
          !onlyLabels.has(name) &&
          (isAsked || name !== 'asset') &&
          this.#names(name, value)
        )
          meant.set(name, (meant.get(name) ?? new Set()).add(value));
    // "In distribute": what goes there and what leaves it.
    const [from, to] = [meant.get('from'), meant.get('to')];
    const isEither = from !== undefined && to !== undefined && [...from].join() === [...to].join();
    if (isEither) meant.delete('from');
    const has = (row: Row, [name, values]: readonly [string, Set<unknown>]) =>
      values.has(Reflect.get(row as object, name)) ||
      (isEither && name === 'to' && values.has(Reflect.get(row as object, 'from')));
    const all = rows.filter((row) => [...meant].every((each) => has(row, each)));
    if (all.length > 0 || rows.length === 0) return { rows: all };
    const none = [...meant].map(([name, values]) => `${name} ${[...values].join(' or ')}`).join(' and ');
    return { rows: rows.filter((row) => [...meant].some((each) => has(row, each))), none };
  }

  #names(name: string, value: unknown): boolean {
    if (typeof value === 'number')
      return this.#tokens.some((_, at) => numberOf(this.#tokens, at, name)?.value === value);
    const text = String(value);
    const hours = hoursOfSpan(text);
    if (!isNaN(hours)) return this.#hours.has(hours);
    const stems = text
      .replace(/(?<=[a-z])(?=[A-Z])|[_-]/g, ' ')
      .toLowerCase()
      .split(' ')
      .map(termOf);
    return this.#stems.some(
      (_, at) => stems.every((each, n) => this.#stems[at + n] === each) && this.#fits(name, at, stems.length),
    );
  }

  /** "From wait to accumulate": which of two fields a value belongs to. */
  #fits(name: string, at: number, length: number): boolean {
    if (name !== 'from' && name !== 'to') return true;
    const isDash = (place: number) => this.#stems[place] === '';
    const before = this.#stems[isDash(at - 1) ? at - 2 : at - 1];
    const behind = this.#stems[at + length + (isDash(at + length) ? 1 : 0)];
    if (towards.has(before)) return name === 'to';
    return before === 'from' || behind === 'to' ? name === 'from' : true;
  }

  /** The hours of a span that begins there: "90 days", "a year". */
  #hoursAt(at: number): number {
    const { kind, text, value = NaN, unit = '' } = this.#tokens[at];
    if (kind !== 'number') return hoursOf[text] ?? NaN;
    return value * (hoursOf[unit] ?? hoursOf[(this.#tokens[at + 1]?.text ?? '').replace(/s$/, '')] ?? NaN);
  }
}
