import type { Log } from './log.js';

/** The same fault is logged once in this time. */
const silenceMs = 60_000;

/** Warnings of work that is done again and again: what fails each time is told once a minute. */
export class ThrottledLog {
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #loggedAt = new Map<string, number>();

  /** Says nothing any more once the signal is aborted: work that is cut off fails, and that is no news. */
  constructor(log: Log, signal: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
  }

  /** Tells what failed, unless something of the same kind was told within a minute. */
  warn(what: string, error: unknown, kind = what): void {
    const last = this.#loggedAt.get(kind) ?? -Infinity;
    if (this.#signal.aborted || performance.now() - last < silenceMs) return;
    this.#loggedAt.set(kind, performance.now());
    this.#log.warn({ err: error }, what);
  }
}
