import { LRUCache } from 'lru-cache';
import { isRoundedText, parseHead } from '../../compute/model/result-text.js';
import type { Answer } from '../job.js';
import type { Timings } from './wire.js';

/**
 * A result as text, which its callers share and do not change. It is parsed when it is read, because many callers need only its id,
 * head or text, and stays parsed until its memory is needed: callers of one moment then parse it once.
 */
export class TextAnswer implements Answer {
  readonly text: string;
  readonly timings: Timings;
  readonly id: string | undefined;
  readonly #shared: { parsed?: WeakRef<object> };

  constructor(text: string, timings: Timings, id?: string, shared = {}) {
    this.text = text;
    this.timings = timings;
    this.id = id;
    this.#shared = shared;
  }

  /** The same result with other times. */
  timed(timings: Timings): TextAnswer {
    return new TextAnswer(this.text, timings, this.id, this.#shared);
  }

  get isRounded(): boolean {
    return isRoundedText(this.text);
  }

  get head(): Answer['head'] {
    return this.isRounded ? parseHead(this.text) : this.result;
  }

  get result(): unknown {
    const known = this.#shared.parsed?.deref();
    if (known) return known;
    const result: unknown = JSON.parse(this.text);
    if (typeof result === 'object' && result !== null) this.#shared.parsed = new WeakRef(result);
    return result;
  }
}

/** The memory of an entry besides its text, in characters. */
const entryCharacters = 200;

/**
 * The results that a gateway handed out last, as JSON, up to a number of characters; the least recently used go first. An id
 * names all that the result depends on, so an entry is never out of date.
 */
export class RecentAnswers {
  readonly #longest: number;
  readonly #answers: LRUCache<string, TextAnswer>;

  constructor(limit: number) {
    this.#longest = limit / 8;
    this.#answers = new LRUCache({
      maxSize: Math.max(1, limit),
      sizeCalculation: ({ text }) => text.length + entryCharacters,
    });
  }

  find(id: string): TextAnswer | undefined {
    return this.#answers.get(id);
  }

  /** Keeps a result, unless it is longer than an eighth of the limit. */
  add(id: string, text: string): void {
    if (text.length > this.#longest || this.#answers.has(id)) return;
    // A copy: a substring would keep the whole message in memory.
    this.#answers.set(id, new TextAnswer(Buffer.from(text).toString(), { queue: 0 }, id));
  }
}
