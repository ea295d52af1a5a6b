import { LRUCache } from 'lru-cache';

/** The memory of an entry besides its text, in characters. */
const entryCharacters = 200;

/**
 * The results that a gateway handed out last, as JSON, up to a number of characters; the least recently used go first. An id
 * names all that the result depends on, so an entry is never out of date.
 */
export class RecentAnswers {
  readonly #longest: number;
  readonly #texts: LRUCache<string, string>;

  constructor(limit: number) {
    this.#longest = limit / 8;
    this.#texts = new LRUCache({
      maxSize: Math.max(1, limit),
      sizeCalculation: ({ length }) => length + entryCharacters,
    });
  }

  find(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** Keeps a result, unless it is longer than an eighth of the limit. */
  add(id: string, text: string): void {
    if (text.length > this.#longest || this.#texts.has(id)) return;
    // A copy: a substring would keep the whole message in memory.
    this.#texts.set(id, Buffer.from(text).toString());
  }
}
