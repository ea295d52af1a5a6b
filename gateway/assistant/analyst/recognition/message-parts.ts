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
  /** Whether it has words of its own that say what is asked, beside slots and words of follow-up questions. */
  hasOwn: boolean;
}

interface Part {
  question: Question;
  ranked?: IntentScore[];
  score?: PartScore;
  scoreBeside?: PartScore;
}

/** The most tokens that are read for one message, counting repeated reads. Usual questions take a few hundred. */
const mostRead = 2_400;

/** Slots with several values: a question that names some on both sides of an "and" is one question. */
const lists = ['changes', 'conditions', 'params', 'weights'] as const;

const certain = 0.6;
const leastTerms = 4;

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

  /** Whether the limit of reads is reached. The search for further questions then ends. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  #partOf(tokens: readonly Token[]): Part {
    let byLength = this.#parts.get(tokens[0]);
    if (!byLength) this.#parts.set(tokens[0], (byLength = new Map<number, Part>()));
    let part = byLength.get(tokens.length);
    if (!part) {
      this.#left -= tokens.length;
      byLength.set(tokens.length, (part = { question: this.known.read(tokens, this.#nowMs, this.#text) }));
    }
    return part;
  }
}
