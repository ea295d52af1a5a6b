import { wordList, wordSet } from '../word-list.js';
import { isStopWord, termOf } from '../vocabulary/words.js';
import { joinSynonyms } from '../vocabulary/synonyms.js';
import type { Token } from '../text/token.js';
import type { SlotName, Slots } from '../slots.js';

/** What a question can name that no tool may serve. */
export type HeardKind = 'interval' | 'time' | 'noDate' | 'side' | 'leverage' | 'subject' | 'beside';

/** Something that a question names, as it is written there, served or not. */
export interface Heard {
  kind: HeardKind;
  /** The words of the question. */
  heard: string;
  /** What it stands for here, where it stands for something near it: 1h for 15m. */
  value?: string;
  /** Why it can't be served, as a sentence. */
  why?: string;
  /** Whether it stands where an asset would: gold, a share. */
  isAsset?: boolean;
}

/** What the reader of a slot took of a question. */
interface Taken {
  slot: SlotName | HeardKind;
  /** Differs between two values of one slot that stand side by side. */
  number: number;
  /** Whether the words count for what is asked, beside the slot. */
  keepsWords: boolean;
}

/** A word that may be a symbol: that of an asset, a name of something unknown, or another word. */
interface Candidate {
  symbol: string;
  at: number;
  kind: 'asset' | 'name' | 'word';
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** A question as tokens, and the slots that were read from it so far. A token belongs to one slot at most. */
export class Question {
  readonly tokens: readonly Token[];
  readonly slots: Writable<Slots> = {};
  /** What it names that may not be served. */
  readonly heard: Heard[] = [];
  /** The hours of its spans, by the place of their first token. */
  readonly spans = new Map<number, number>();
  /** All intervals that it names and that are kept. */
  readonly intervals = new Set<NonNullable<Slots['interval']>>();
  /** The terms that chose the value of a slot: "losers". */
  readonly choiceTerms = new Map<string, SlotName>();
  readonly #taken: (Taken | undefined)[];
  readonly #candidates: Candidate[] = [];
  #count = 0;
  #terms: readonly string[] | undefined;
  #hasSmallLetters: boolean | undefined;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.#taken = tokens.map((token) =>
      token.kind === 'slot' ? { slot: token.text as SlotName, number: -1, keepsWords: false } : undefined,
    );
  }

  /** Whether an asset is named, by a placeholder of a phrase as well. */
  get namesAsset(): boolean {
    return (
      this.slots.asset !== undefined ||
      this.tokens.some(({ kind, text }) => kind === 'slot' && text.startsWith('asset'))
    );
  }

  /** Words that may be symbols, where nothing around them says so, and no other slot has them. */
  get candidates(): string[] {
    return this.candidatePlaces.map(({ symbol }) => symbol);
  }

  get candidatePlaces(): readonly Candidate[] {
    return this.#candidates.filter(({ at }) => this.isFree(at));
  }

  noteCandidate(symbol: string, at: number, kind: Candidate['kind']): void {
    this.#candidates.push({ symbol, at, kind });
  }

  /** Whether a word that is left is the name of something unknown. */
  isUnknown(at: number): boolean {
    return this.candidatePlaces.some((each) => each.at === at && each.kind === 'name');
  }

  /** Whether anything is written in small letters: then capitals say something. */
  get hasSmallLetters(): boolean {
    return (this.#hasSmallLetters ??= this.tokens.some(({ raw }) => /\p{Ll}/u.test(raw)));
  }

  isFree(at: number): boolean {
    return at >= 0 && at < this.tokens.length && this.#taken[at] === undefined;
  }

  /** The word there in small letters, taken or not; empty for what is no word. */
  word(at: number): string {
    const token = this.tokens[at];
    return token?.kind === 'word' ? token.text : '';
  }

  /** The free number there; undefined for anything else. */
  number(at: number): Token | undefined {
    return this.isFree(at) && this.tokens[at].kind === 'number' ? this.tokens[at] : undefined;
  }

  isMark(at: number, text: string): boolean {
    return this.tokens[at]?.kind === 'mark' && this.tokens[at].text === text;
  }

  /** The tokens between the marks around a place: from `from` to before `end`. */
  clauseAround(place: number): { from: number; end: number } {
    const from = this.tokens.findLastIndex(({ kind }, at) => at < place && kind === 'mark') + 1;
    const end = this.tokens.findIndex(({ kind }, at) => at > place && kind === 'mark');
    return { from, end: end === -1 ? this.tokens.length : end };
  }

  /** The slot that the token there belongs to. */
  slotAt(at: number): SlotName | HeardKind | undefined {
    return this.#taken[at]?.slot;
  }

  /** The words from `at` on, as many as `length`, as one text. */
  phrase(at: number, length: number): string {
    return this.tokens
      .slice(at, at + length)
      .map(({ kind, text }) => (kind === 'word' ? text : `(${text})`))
      .join(' ');
  }

  /** The text from `from` to before `to` as it is written. */
  written(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ raw, isJoined }, n) => (n > 0 && !isJoined && raw !== '' ? ` ${raw}` : raw))
      .join('');
  }

  /** Gives tokens to something that is heard and may not be served. */
  hear(
    kind: HeardKind,
    from: number,
    to: number,
    about: Pick<Heard, 'value' | 'why' | 'isAsset'> = {},
  ): void {
    this.heard.push({ kind, heard: this.written(from, to), ...about });
    this.take(kind, from, to);
  }

  /** Gives the tokens from `from` to before `to` to a slot. */
  take(slot: SlotName | HeardKind, from: number, to: number, { keepsWords = false } = {}): void {
    this.#count++;
    this.#terms = undefined;
    for (let at = from; at < to; at++) this.#taken[at] ??= { slot, number: this.#count, keepsWords };
  }

  /** Notes that words chose the value of a slot; they count for what is asked all the same. */
  noteChoice(slot: SlotName, from: number, to: number): void {
    for (let at = from; at < to; at++) this.choiceTerms.set(termOf(this.word(at)), slot);
  }

  /** The term of a word: "past week" is "last week", "this week" the week alone, and "am I up" asks for the profit. */
  #termsOf(at: number): string[] {
    if (this.word(at) === 'this' && (this.#isSpan(at + 1) || this.#isPastOf(at + 1))) return [];
    if (this.#isPastOf(at)) return [termOf('last')];
    const isOwnProfit = this.word(at - 1) === 'i' && outcomes.has(this.word(at));
    return [termOf(isOwnProfit ? 'pnl' : this.word(at))];
  }

  #isSpan(at: number): boolean {
    const slot = this.slotAt(at);
    return slot !== undefined && spanSlots.has(slot as SlotName);
  }

  /** Whether a word says of the span behind it that it is past. */
  #isPastOf(at: number): boolean {
    return pastWords.has(this.word(at)) && this.#isSpan(at + 1);
  }

  /** The terms that a word may stand for, alone or with those around it: "moving", "moving average". */
  termsAt(at: number): string[] {
    const terms = this.#termsOf(at);
    for (let length = 2; length <= longestSynonym; length++)
      for (let from = Math.max(0, at - length + 1); from <= at; from++) {
        const stems = this.tokens
          .slice(from, from + length)
          .map(({ kind }, n) => (kind === 'word' ? termOf(this.word(from + n)) : ''));
        const joined = joinSynonyms(stems);
        if (joined.length === 1) terms.push(joined[0]);
      }
    return [...joinSynonyms(terms.slice(0, 1)), ...terms];
  }

  /** What the question consists of for the comparison with phrases: names of slots in braces, words by meaning. */
  terms(): readonly string[] {
    return (this.#terms ??= this.#makeTerms());
  }

  #makeTerms(): string[] {
    const parts: string[] = [];
    let last: Taken | undefined;
    for (const [at, token] of this.tokens.entries()) {
      const taken = this.#taken[at];
      if (taken && taken !== last && taken.number !== last?.number) parts.push(...placeholders(taken.slot));
      else if (taken?.number === -1) parts.push(...placeholders(taken.slot));
      if ((!taken || taken.keepsWords) && token.kind === 'word') parts.push(...this.#termsOf(at));
      if (!taken && token.kind === 'number') parts.push('{number}');
      last = taken;
    }
    const joined = joinSynonyms(parts).filter((part, n, all) => part !== 'me' || !givers.has(all[n - 1]));
    const content = joined.filter((part) => !isStopWord(part));
    const first = content.find((part) => !joints.has(part)) ?? '';
    // What a question begins with tells an order, "cancel my orders", from a question.
    const beginning = first === '' || first.startsWith('{') ? [] : [`^${first}`];
    return content.length > 0 ? [...content, ...beginning] : joined;
  }
}

const longestSynonym = 4;
const pastWords = new Set(['past', 'previous', 'prior', 'trailing', 'preceding']);
/** What people say of themselves for a profit or a loss: "am I up". */
const outcomes = new Set(['up', 'down', 'ahead', 'behind', 'winning', 'losing']);
const spanSlots = new Set<SlotName>(['windowHours', 'period', 'candles']);

/** A question that goes on with the last one begins behind these. */
const joints = new Set(['and', 'also', 'then', 'but', 'or']);

/** "Me" says something behind other words alone: "subscribe me". */
const givers = wordSet('question', 'givers');

/** Spans of time are one term, because people name periods and windows alike. */
const sameTerm: Partial<Record<SlotName | HeardKind, string[]>> = wordList('question', 'sameTerm');

const placeholders = (slot: SlotName | HeardKind): string[] => sameTerm[slot] ?? [`{${slot}}`];
