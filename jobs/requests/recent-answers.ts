import { LRUCache } from 'lru-cache';
import { RecalledAnswer } from './recalled-answer.js';

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
