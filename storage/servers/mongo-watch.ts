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
/** So many questions without an answer in a row: three seconds where MongoDB is gone, up to six where it hangs. */
const mostFailures = 3;

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
  #mongo: Mongo;
  #isConnected = false;
  readonly #timer: NodeJS.Timeout;
  #failures = 0;
  #isAsking = false;

  constructor(options: MongoWatchOptions) {
    this.#options = options;
    this.#mongo = this.#open();
    this.#timer = setInterval(() => void this.#ask(), askMs).unref();
  }

  /** Whether MongoDB has answered the last question. */
  get answers(): boolean {
    return this.#failures === 0;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#mongo.close();
  }

  #open(): Mongo {
    return openMongo(this.#options.mongodbUrl, { timeoutMs: answerMs });
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const isThere = await this.#mongo.ping().then(
      () => true,
      () => false,
    );
    this.#isConnected ||= isThere;
    if (!this.#isConnected) {
      // The driver makes a first connection once; a lost one it makes again.
      await this.#mongo.close();
      this.#mongo = this.#open();
    }
    this.#isAsking = false;
    const wasAway = this.#failures >= mostFailures;
    this.#failures = isThere ? 0 : this.#failures + 1;
    const isAway = this.#failures >= mostFailures;
    const { workers, log } = this.#options;
    if (isAway === wasAway || workers.length === 0) return;
    if (isAway) log.warn('MongoDB has not answered for 3 s: this worker takes no jobs until it is back');
    else log.info('MongoDB is back: this worker takes jobs again');
    for (const worker of workers) void (isAway ? worker.pause(true) : worker.resume());
  }
}
