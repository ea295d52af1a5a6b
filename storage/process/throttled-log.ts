import { LRUCache } from 'lru-cache';
import type { Log } from './log.js';

/** Warnings of the same kind are logged once in this time. */
const silenceMs = 60_000;
const mostKinds = 1_000;

/** Warnings of work that is repeated: one that fails each time is logged once a minute. */
export class ThrottledLog {
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #logged = new LRUCache<string, true>({ max: mostKinds, ttl: silenceMs });

  /** Logs nothing once the signal is aborted, because work that was aborted fails for that reason. */
  constructor(log: Log, signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
  }

  /** Logs a failure, unless one of the same kind was logged within the last minute. */
  warn(message: string, error: unknown, kind = message): void {
    if (this.#signal.aborted || this.#logged.has(kind)) return;
    this.#logged.set(kind, true);
    this.#log.warn({ err: error }, message);
  }
}
