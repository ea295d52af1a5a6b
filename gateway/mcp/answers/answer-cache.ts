import { LRUCache } from 'lru-cache';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Most characters of remembered payloads with their answers. */
const mostCharacters = 16_000_000;

interface Remembered {
  result: CallToolResult;
  characters: number;
}

/**
 * Answers by the payload that they were made from: a popular question costs the gateway a look-up. Two equal payloads have
 * equal answers, so that nothing needs to be forgotten in time.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, Remembered>({
    maxSize: mostCharacters,
    maxEntrySize: 200_000,
    sizeCalculation: ({ characters }) => characters,
  });

  /** The answer made from a payload, given as text that tells everything it depends on. */
  of(key: string, make: () => CallToolResult): CallToolResult {
    const known = this.#answers.get(key);
    if (known) return known.result;
    const result = make();
    this.#answers.set(key, { result, characters: 4 * key.length });
    return result;
  }
}
