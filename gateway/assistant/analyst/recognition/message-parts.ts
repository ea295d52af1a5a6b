import type { Question } from '../slots/question.js';
import type { Slots } from '../slots.js';
import type { Token } from '../text/token.js';
import { ownTerms } from './own-terms.js';
import type { IntentScore } from './phrase-index.js';
import type { Recogniser } from './recogniser.js';

/** How well a part of a message is recognised by itself. */
export interface PartScore {
  /** How many strategies it names. */
  strategies: number;
  /** The slots with several values that it names. */
  listed: readonly string[];
  isDeclined: boolean;
  score: number;
  intent?: string;
  asset?: string | undefined;
  /** Whether it says what is asked, beside slots and words of follow-up questions. */
  hasOwn: boolean;
}

interface Part {
  question: Question;
  ranked?: IntentScore[];
  score?: PartScore;
}

/** Slots with several values: a question that names some on both sides of an "and" is one question. */
const lists = ['changes', 'conditions', 'params', 'weights'] as const;

/** Slots that say what is asked without any further word: "RSI of BTC". */
const subjects = ['indicator', 'term'] as const;

/**
 * The parts of one message. Each is read and ranked once, however often the search for its questions comes back to it. All
 * parts are stretches of the same tokens, so that the first token and the length name a part.
 */
export class MessageParts {
  readonly known: Recogniser;
  readonly #nowMs: number;
  readonly #text: string;
  readonly #parts = new Map<Token, Map<number, Part>>();

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

  /** How well the part is recognised by itself. */
  score(tokens: readonly Token[]): PartScore {
    const part = this.#partOf(tokens);
    return (part.score ??= this.#scoreOf(tokens, part.question));
  }

  #scoreOf(tokens: readonly Token[], question: Question): PartScore {
    const [best] = this.rank(tokens);
    const hasOwn =
      ownTerms(question.terms()).length > 0 || subjects.some((slot) => question.slots[slot] !== undefined);
    const strategies = question.slots.strategies?.length ?? 0;
    if (best === undefined) return { score: 0, hasOwn, isDeclined: false, listed: [], strategies };
    return {
      score: best.score,
      intent: best.intent.name,
      asset: question.slots.asset,
      hasOwn,
      strategies,
      isDeclined: best.intent.declines !== undefined,
      listed: lists.filter((slot) => question.slots[slot] !== undefined),
    };
  }

  #partOf(tokens: readonly Token[]): Part {
    let byLength = this.#parts.get(tokens[0]);
    if (!byLength) this.#parts.set(tokens[0], (byLength = new Map<number, Part>()));
    let part = byLength.get(tokens.length);
    if (!part)
      byLength.set(tokens.length, (part = { question: this.known.read(tokens, this.#nowMs, this.#text) }));
    return part;
  }
}
