import { LRUCache } from 'lru-cache';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** Most characters of remembered answers with what they were made from. */
const mostCharacters = 16_000_000;

/** An answer, and when it changes because it goes stale. */
export interface TimedAnswer {
  result: CallToolResult;
  isStale: boolean;
  /** From when on it counts as stale, in ms since the epoch; Infinity for never. */
  staleAtMs: number;
}

/**
 * Answers by what they were made from: a popular question costs the gateway a look-up. Equal payloads have equal answers until
 * they go stale, so that nothing else needs to be forgotten in time.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, { answer: TimedAnswer; characters: number }>({
    maxSize: mostCharacters,
    maxEntrySize: 200_000,
    sizeCalculation: ({ characters }) => characters,
  });

  /** The answer of this moment. The key is text that names everything the answer depends on besides the time. */
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
