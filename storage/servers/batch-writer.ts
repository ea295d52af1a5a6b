import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import type { Log } from '../process/log.js';
import { isMongoUnavailable } from './mongo.js';

/** The time between two writes, unless a reader waits or a batch is full: writes would take CPU time from answers. */
const defaultSpacingMs = 250;

const retryMs = 500;

/** A write that MongoDB refuses so often is given up. */
const mostRefusals = 3;

const closingMs = 5_000;

export interface BatchWriterOptions<T> {
  /** What is written, for the log: `backtests`. */
  what: string;
  /** Writes a batch. It may be called again with the same items when it fails, so it has to be safe to repeat. */
  write: (items: readonly T[]) => Promise<unknown>;
  /** How much an item counts against `mostSize`. */
  sizeOf: (item: T) => number;
  /** The most that may wait to be written; beyond it new items are not stored. */
  mostSize: number;
  /** The most items of one write. */
  batchSize: number;
  /** What the log says of an item that is lost. */
  describe: (item: T) => Readonly<Record<string, unknown>>;
  log: Pick<Log, 'error'>;
  spacingMs?: number | undefined;
}

/**
 * Writes items to MongoDB beside the answers that they belong to, so that no answer waits for it. An item after a pause is
 * written at once; items that follow are one write every quarter of a second. While MongoDB does not answer they wait, up to a size;
 * what cannot be stored is logged. `close` writes what waits; a process that is killed loses it.
 */
export class BatchWriter<T> {
  readonly #options: BatchWriterOptions<T>;
  readonly #spacingMs: number;
  #waiting: T[] = [];
  #writing: T[] = [];
  #size = 0;
  /** The write under way or about to start; resolves with whether it succeeded. */
  #attempt: Promise<boolean> | null = null;
  #lastEnd = -Infinity;
  #refusals = 0;
  /** Aborted to write what waits without a pause. */
  #hurry = new AbortController();
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options;
    this.#spacingMs = options.spacingMs ?? defaultSpacingMs;
  }

  /** Stores an item soon. Never throws. */
  keep(item: T): void {
    const size = this.#options.sizeOf(item);
    if (this.#size + size > this.#options.mostSize) {
      this.#logLost([item], 'too many wait to be written');
      return;
    }
    this.#size += size;
    this.#waiting.push(item);
    this.#attempt ??= this.#start();
    if (this.#waiting.length >= this.#options.batchSize) this.#hurry.abort();
  }

  /** Resolves when the items that match and were kept before are stored, or could not be stored at once. */
  async settled(matches: (item: T) => boolean): Promise<void> {
    while (this.#attempt && (this.#waiting.some(matches) || this.#writing.some(matches))) {
      this.#hurry.abort();
      if (!(await this.#attempt)) return;
    }
  }

  /** Writes what waits, for up to 5 s, and logs what is lost. */
  async close(): Promise<void> {
    this.#closing.abort();
    const limit = performance.now() + closingMs;
    while (this.#attempt && performance.now() < limit) {
      this.#hurry.abort();
      await this.#attempt;
    }
    this.#isClosed = true;
    const lost = [...this.#writing, ...this.#waiting];
    if (lost.length > 0) this.#logLost(lost, 'the process ends');
  }

  /** Starts after the answer has gone out, and some time after the last write. */
  async #start(): Promise<boolean> {
    this.#hurry = new AbortController();
    const { signal } = this.#hurry;
    await nextTurn();
    const waitMs = this.#lastEnd + this.#spacingMs - performance.now();
    if (waitMs > 0 && this.#waiting.length < this.#options.batchSize)
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
    return this.#write();
  }

  async #write(): Promise<boolean> {
    this.#writing = this.#waiting.splice(0, this.#options.batchSize);
    const isStored = await this.#store(this.#writing);
    if (!isStored) this.#waiting.unshift(...this.#writing);
    else for (const item of this.#writing) this.#size -= this.#options.sizeOf(item);
    this.#writing = [];
    this.#lastEnd = performance.now();
    const isDone = this.#waiting.length === 0 || this.#isClosed;
    this.#attempt = isDone ? null : isStored ? this.#start() : this.#startLater();
    return isStored;
  }

  /** False if it is to be tried again: MongoDB does not answer, or has refused the write only once or twice. */
  async #store(items: readonly T[]): Promise<boolean> {
    try {
      await this.#options.write(items);
    } catch (error) {
      if (isMongoUnavailable(error)) return false;
      if (!(error instanceof AppError) && ++this.#refusals < mostRefusals) return false;
      this.#logLost(items, 'the write failed', error);
    }
    this.#refusals = 0;
    return true;
  }

  async #startLater(): Promise<boolean> {
    await pause(retryMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined);
    return this.#write();
  }

  #logLost(items: readonly T[], why: string, error?: unknown): void {
    const { what, describe, log } = this.#options;
    const lost = items.slice(0, 20).map(describe);
    const fields = { count: items.length, lost, ...(error === undefined ? {} : { err: error }) };
    log.error(fields, `${what} are not stored: ${why}`);
  }
}
