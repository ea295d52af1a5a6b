import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import type { SlotName, Slots } from '../slots.js';
import type { Token } from '../text/token.js';
import { ownTerms } from './own-terms.js';
import type { IntentScore } from './phrase-index.js';
import type { Recogniser } from './recogniser.js';

/** How well a part of a message is recognised by itself. */
export interface PartScore {
  score: number;
  intent?: Intent;
  asset?: string | undefined;
  /** The slots with several values that it names. */
  listed: readonly SlotName[];
  /** Whether it has words of its own that say what is asked, beside slots and words of follow-up questions. */
  hasOwn: boolean;
  /** Whether it names less than its intent needs, assets aside. */
  isLacking: boolean;
}

interface Part {
  question: Question;
  ranked?: IntentScore[];
  score?: PartScore;
  scoreBeside?: PartScore;
}

/** The most tokens that are read for one message, counting repeated reads. Usual questions take a few hundred. */
const mostRead = 1_600;

/** Slots with several values: a question that names some on both sides of an "and" is one question. */
const lists = ['changes', 'conditions', 'params', 'weights'] as const;

const certain = 0.6;
const leastTerms = 4;

/** Slots that say what is asked without any further word: "RSI of BTC", a signal. */
const subjects = ['indicator', 'term', 'signal'] as const;

/**
 * The parts of one message. Each is read and ranked once, however often the search for its questions comes back to it.
 */
export class MessageParts {
  readonly known: Recogniser;
  readonly #nowMs: number;
  readonly #text: string;
  readonly #parts = new Map<string, Part>();
  readonly #numbers = new Map<Token, number>();
  /** How many tokens may still be read, so that a long text is not read again for each of its joints. */
  #left = mostRead;

  constructor(known: Recogniser, nowMs: number, text: string) {
    this.known = known;
    this.#nowMs = nowMs;
    this.#text = text;
  }

  /** The part as a question, with its slots. */
  read(tokens: readonly Token[]): Question {
    return this.#partOf(tokens).question;
  }

  /** The intents by how far the part fits them after a question with the slots `before`, the best first. */
  rank(tokens: readonly Token[], before: Slots = {}): readonly IntentScore[] {
    const part = this.#partOf(tokens);
    if (Object.keys(before).length > 0) return this.known.rank(part.question, before);
    return (part.ranked ??= this.known.rank(part.question));
  }

  /** How well the part is recognised by itself, or beside a part that names an asset. */
  score(tokens: readonly Token[], asset?: string): PartScore {
    const part = this.#partOf(tokens);
    if (asset === undefined || part.question.slots.asset !== undefined)
      return (part.score ??= this.#scoreOf(tokens, part.question, {}));
    return (part.scoreBeside ??= this.#scoreOf(tokens, part.question, { asset }));
  }

  #scoreOf(tokens: readonly Token[], question: Question, before: Slots): PartScore {
    const [best] = this.rank(tokens, before);
    const own = ownTerms(question.terms());
    const hasOwn =
      own.length > 0 ||
      subjects.some((slot) => question.slots[slot] !== undefined) ||
      // "What is BTC at" says all in words that follow-up questions have, too.
      (question.slots.asset !== undefined &&
        (best?.score ?? 0) >= certain &&
        question.terms().length >= leastTerms);
    const lacks = (slot: string) =>
      !slot.startsWith('asset') && question.slots[slot as SlotName] === undefined;
    return {
      score: best?.score ?? 0,
      ...(best && { intent: best.intent }),
      asset: question.slots.asset,
      hasOwn,
      listed: lists.filter((slot) => question.slots[slot] !== undefined),
      isLacking: Object.keys(best?.intent.needs ?? {}).some(lacks),
    };
  }

  /** Whether the limit of reads is reached. The search for further questions then ends. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  #partOf(tokens: readonly Token[]): Part {
    const key = tokens.map((token) => this.#numberOf(token)).join(' ');
    let part = this.#parts.get(key);
    if (!part) {
      this.#left -= tokens.length;
      this.#parts.set(key, (part = { question: this.known.read(tokens, this.#nowMs, this.#text) }));
    }
    return part;
  }

  #numberOf(token: Token): number {
    let number = this.#numbers.get(token);
    if (number === undefined) this.#numbers.set(token, (number = this.#numbers.size));
    return number;
  }
}
