import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import { bookTrades, type BookTradesTools } from './book-trades.js';
import { updateDueRecords } from './update-record.js';

export interface BookingOptions extends BookTradesTools {
  storage: BookTradesTools['storage'] & Pick<Storage, 'channels' | 'leases' | 'signalOutcomes'>;
  log: Pick<Log, 'error' | 'warn'>;
  /** Default: 1 s. */
  everyMs?: number;
}

const usualMs = 1_000;

/** Looks for records that are out of date each time that it has looked so often for trades. */
const looksPerRecord = 5;

/** Books trades that are over, every second, and keeps the records of channels. Several processes may do so at once. */
export class Booking {
  readonly #options: BookingOptions;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void> | null = null;
  #isClosing = false;
  #looks = 0;

  constructor(options: BookingOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#next(), options.everyMs ?? usualMs);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  #next(): void {
    this.#working ??= this.#work()
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'trades not booked'))
      .finally(() => (this.#working = null));
  }

  async #work(): Promise<void> {
    while (!this.#isClosing && (await bookTrades(this.#options)) > 0);
    if (this.#looks++ % looksPerRecord === 0 && !this.#isClosing)
      await updateDueRecords(this.#options.storage);
  }
}
