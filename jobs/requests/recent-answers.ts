import { LRUCache } from 'lru-cache';
import type { Answer } from '../job.js';
import type { Timings } from './wire.js';

/**
 * A known result, which its callers share and do not change. It is parsed when it is read, because many callers need only its id
 * or text, and stays parsed until its memory is needed: callers of one moment then parse it once.
 */
export class RecalledAnswer implements Answer {
  readonly id: string;
  readonly text: string;
  readonly timings: Timings = { queue: 0 };
  #parsed: WeakRef<object> | undefined;

  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
  }

  get result(): unknown {
    const parsed = this.#parsed?.deref();
    if (parsed) return parsed;
    const result: unknown = JSON.parse(this.text);
    if (typeof result === 'object' && result !== null) this.#parsed = new WeakRef(result);
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
  readonly #answers: LRUCache<string, RecalledAnswer>;

  constructor(limit: number) {
    this.#longest = limit / 8;
    this.#answers = new LRUCache({
      maxSize: Math.max(1, limit),
      sizeCalculation: ({ text }) => text.length + entryCharacters,
    });
  }

  find(id: string): RecalledAnswer | undefined {
    return this.#answers.get(id);
  }

  /** Keeps a result, unless it is longer than an eighth of the limit. */
  add(id: string, text: string): void {
    if (text.length > this.#longest || this.#answers.has(id)) return;
    // A copy: a substring would keep the whole message in memory.
    this.#answers.set(id, new RecalledAnswer(id, Buffer.from(text).toString()));
  }
}
