import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import type { Log } from '../process/log.js';
import { isMongoUnavailable } from '../servers/mongo.js';
import type { BacktestRepository, RunBacktest } from './backtests.js';

/** The most characters of reports that wait to be written; with more, new ones are not stored. */
const usualMostCharacters = 32_000_000;

/** The most backtests of one write. */
const batchSize = 50;

/** The time between two writes, unless a reader waits or a batch is full: writes would take CPU time from answers. */
const usualSpacingMs = 250;

const retryMs = 500;

/** A write that MongoDB refuses so often is given up. */
const mostRefusals = 3;

const closingMs = 5_000;

export interface BacktestWriterOptions {
  backtests: Pick<BacktestRepository, 'add'>;
  log: Log;
  mostCharacters?: number;
  spacingMs?: number;
}

/**
 * Writes backtests beside their answers, so that no answer waits for MongoDB. A run after a pause is written at once; runs
 * that follow are one write every quarter of a second. While MongoDB is away they wait, up to a number of characters; what
 * cannot be stored is logged. A process that is killed loses the runs that wait: an equal request, which is answered from
 * the stored result, stores them again.
 */
export class BacktestWriter {
  readonly #options: BacktestWriterOptions;
  readonly #mostCharacters: number;
  readonly #spacingMs: number;
  #waiting: RunBacktest[] = [];
  #writing: RunBacktest[] = [];
  #characters = 0;
  /** The write under way or about to start; resolves with whether it succeeded. */
  #attempt: Promise<boolean> | null = null;
  #lastEnd = -Infinity;
  #refusals = 0;
  /** Aborted to write what waits without a pause. */
  #hurry = new AbortController();
  readonly #closing = new AbortController();
  #isClosed = false;

  constructor(options: BacktestWriterOptions) {
    this.#options = options;
    this.#mostCharacters = options.mostCharacters ?? usualMostCharacters;
    this.#spacingMs = options.spacingMs ?? usualSpacingMs;
  }

  /** Stores a backtest soon. Never throws. */
  keep(run: RunBacktest): void {
    if (this.#characters + run.text.length > this.#mostCharacters) {
      this.#logLost([run], 'too many wait to be written');
      return;
    }
    this.#characters += run.text.length;
    this.#waiting.push(run);
    this.#attempt ??= this.#start();
    if (this.#waiting.length >= batchSize) this.#hurry.abort();
  }

  /** Resolves when the backtests of a user that were kept before are stored, or could not be stored at once. */
  async settled(userId: string): Promise<void> {
    const isOpen = (run: RunBacktest) => run.userId === userId;
    while (this.#attempt && (this.#waiting.some(isOpen) || this.#writing.some(isOpen))) {
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
    if (waitMs > 0 && this.#waiting.length < batchSize)
      await pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
    return this.#write();
  }

  async #write(): Promise<boolean> {
    this.#writing = this.#waiting.splice(0, batchSize);
    const isStored = await this.#store(this.#writing);
    if (!isStored) this.#waiting.unshift(...this.#writing);
    else for (const { text } of this.#writing) this.#characters -= text.length;
    this.#writing = [];
    this.#lastEnd = performance.now();
    const isDone = this.#waiting.length === 0 || this.#isClosed;
    this.#attempt = isDone ? null : isStored ? this.#start() : this.#startLater();
    return isStored;
  }

  /** False if it is to be tried again: MongoDB is away, or has refused the write only once or twice. */
  async #store(runs: readonly RunBacktest[]): Promise<boolean> {
    try {
      await this.#options.backtests.add(runs);
    } catch (error) {
      if (isMongoUnavailable(error)) return false;
      if (!(error instanceof AppError) && ++this.#refusals < mostRefusals) return false;
      this.#logLost(runs, 'the write failed', error);
    }
    this.#refusals = 0;
    return true;
  }

  async #startLater(): Promise<boolean> {
    await pause(retryMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined);
    return this.#write();
  }

  #logLost(runs: readonly RunBacktest[], why: string, error?: unknown): void {
    const lost = runs.slice(0, 20).map(({ userId, id }) => ({ userId, id }));
    const fields = { count: runs.length, lost, ...(error === undefined ? {} : { err: error }) };
    this.#options.log.error(fields, `backtests are not stored: ${why}`);
  }
}
