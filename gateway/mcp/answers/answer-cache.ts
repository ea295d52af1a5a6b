import { LRUCache } from 'lru-cache';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Most characters of all cached answers and their keys. */
const mostCharacters = 16_000_000;

/** An answer, and when it changes because it goes stale. */
export interface TimedAnswer {
  result: CallToolResult;
  isStale: boolean;
  /** When it becomes stale, in ms since the epoch; Infinity for never. */
  staleAtMs: number;
}

/**
 * Caches answers by everything they are made from, so that a frequent call costs the gateway a look-up. Equal payloads have
 * equal answers until they become stale, so no other expiry is needed.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, { answer: TimedAnswer; characters: number }>({
    maxSize: mostCharacters,
    maxEntrySize: 200_000,
    sizeCalculation: ({ characters }) => characters,
  });

  /** The cached answer, or the one that `make` returns. The key names everything the answer depends on besides the time. */
  of(key: string, nowMs: number, make: () => TimedAnswer): CallToolResult {
    const known = this.#answers.get(key)?.answer;
    if (known !== undefined && isCurrent(known, nowMs)) return known.result;
    const answer = make();
    const characters = key.length + 3 * JSON.stringify(answer.result).length;
    this.#answers.set(key, { answer, characters });
    return answer.result;
  }
}

const isCurrent = ({ isStale, staleAtMs }: TimedAnswer, nowMs: number): boolean =>
  isStale === nowMs > staleAtMs;
