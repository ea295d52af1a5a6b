import type { Log } from '../process/log.js';
import { openMongo, type Mongo } from './mongo.js';

/** A worker that can stop taking jobs, as those of BullMQ. */
export interface PausableWorker {
  pause(doNotWaitActive: true): Promise<void>;
  resume(): Promise<void> | void;
}

const askMs = 1_000;
/** Of which one question has nearly half. */
const answerMs = 2_000;
/**
 * A worker takes no jobs once MongoDB has not answered for so many seconds. They are counted by what a process does: one that was
 * held up for longer has asked nothing meanwhile.
 */
const mostSilent = 3;

export interface MongoWatchOptions {
  mongodbUrl: string;
  workers: readonly PausableWorker[];
  log: Log;
}

/**
 * Asks MongoDB every second. A worker whose MongoDB has been away for three seconds takes no jobs until it is back: another
 * one, which may reach it, runs them.
 */
export class MongoWatch {
  readonly #options: MongoWatchOptions;
  readonly #mongo: Mongo;
  readonly #timer: NodeJS.Timeout;
  /** How often it looked since the last answer, a second apart. */
  #silent = 0;
  #isAway = false;
  #isAsking = false;

  constructor(options: MongoWatchOptions) {
    this.#options = options;
    this.#mongo = openMongo(options.mongodbUrl, { timeoutMs: answerMs });
    this.#timer = setInterval(() => this.#look(), askMs).unref();
  }

  /** Whether MongoDB has answered in the last two seconds. */
  get answers(): boolean {
    return this.#silent < 2;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#mongo.close();
  }

  #look(): void {
    this.#silent++;
    this.#tell();
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const isThere = await this.#mongo.ping().then(
      () => true,
      () => false,
    );
    this.#isAsking = false;
    if (isThere) this.#silent = 0;
    this.#tell();
  }

  #tell(): void {
    const isAway = this.#silent > mostSilent;
    if (isAway === this.#isAway) return;
    this.#isAway = isAway;
    const { workers, log } = this.#options;
    if (workers.length === 0) return;
    if (isAway) log.warn('MongoDB has not answered for 3 s: this worker takes no jobs until it is back');
    else log.info('MongoDB is back: this worker takes jobs again');
    for (const worker of workers) void (isAway ? worker.pause(true) : worker.resume());
  }
}
