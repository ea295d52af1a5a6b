import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import { RepeatedWork } from '../../../storage/process/repeated-work.js';
import { bookTrades, type BookTradesTools } from './book-trades.js';
import { updateDueRecords, type RecordTools } from './update-record.js';

export interface BookingOptions extends BookTradesTools {
  storage: BookTradesTools['storage'] & RecordTools['storage'] & Pick<Storage, 'leases'>;
  log: Pick<Log, 'error' | 'warn'>;
  /** Default: 1 s. */
  everyMs?: number;
}

const defaultMs = 1_000;

/** Outdated records are looked for once in so many looks for trades. */
const looksPerRecord = 5;

/** Books trades that are over, every second, and keeps the records of channels. Several processes may do so at once. */
export class Booking {
  readonly #options: BookingOptions;
  readonly #work: RepeatedWork;
  #looks = 0;

  constructor(options: BookingOptions) {
    this.#options = options;
    const { everyMs = defaultMs, log } = options;
    const onError = (err: unknown) => log.warn({ err }, 'trades not booked');
    this.#work = new RepeatedWork((signal) => this.#book(signal), everyMs, onError);
  }

  close(): Promise<void> {
    return this.#work.close();
  }

  async #book(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await bookTrades(this.#options)) > 0);
    if (this.#looks++ % looksPerRecord === 0 && !signal.aborted) await updateDueRecords(this.#options);
  }
}
