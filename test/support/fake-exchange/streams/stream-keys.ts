import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { MatchingEngine } from '../book/matching-engine.js';

interface StreamKey {
  apiKey: string;
  part: string;
  expiresAt: number;
}

/** Listen keys and tokens that were given out. They do not outlive the process. */
export class StreamKeys {
  readonly #keys = new Map<string, StreamKey>();
  readonly #isOwn: (apiKey: string) => boolean;
  #given = 0;

  constructor(engine: MatchingEngine) {
    this.#isOwn = (apiKey) => engine.accounts.has(apiKey);
  }

  /** A new key, or the one that is valid still, whose time is extended. */
  give(
    apiKey: string,
    part: string,
    { nowMs, validMs, isKept }: { nowMs: number; validMs: number; isKept: boolean },
  ) {
    if (!this.#isOwn(apiKey))
      throw new ExchangeRefusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
    const known = [...this.#keys].find(
      ([, key]) => key.apiKey === apiKey && key.part === part && key.expiresAt > nowMs,
    );
    const token = isKept && known ? known[0] : `${part}-${++this.#given}-${Math.floor(nowMs)}`;
    this.#keys.set(token, { apiKey, part, expiresAt: nowMs + validMs });
    return token;
  }

  /** The account of a valid key; null for another. */
  accountOf(token: string, nowMs: number): { apiKey: string; part: string } | null {
    const key = this.#keys.get(token);
    return key && key.expiresAt > nowMs ? key : null;
  }

  expire(apiKeys: readonly string[]): void {
    for (const key of this.#keys.values())
      if (apiKeys.length === 0 || apiKeys.includes(key.apiKey)) key.expiresAt = 0;
  }
}

const kept = new WeakMap<MatchingEngine, StreamKeys>();

export function streamKeysOf(engine: MatchingEngine): StreamKeys {
  const known = kept.get(engine) ?? new StreamKeys(engine);
  kept.set(engine, known);
  return known;
}
