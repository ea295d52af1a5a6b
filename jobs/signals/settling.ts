import type { PaperSettler } from '../../storage/exchanges/paper/paper-settler.js';
import type { Log } from '../../storage/process/log.js';

const everyMs = 1_000;

/** Books what was traded on the paper exchange in the accounts of users, every second. Several processes may do so at once. */
export class Settling {
  readonly #settler: Pick<PaperSettler, 'settle'>;
  readonly #log: Pick<Log, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #working: Promise<void> | null = null;
  #isClosing = false;

  constructor(settler: Pick<PaperSettler, 'settle'>, log: Pick<Log, 'warn'>) {
    this.#settler = settler;
    this.#log = log;
    this.#timer = setInterval(() => this.#next(), everyMs);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  #next(): void {
    this.#working ??= this.#settleAll()
      .catch((error: unknown) => this.#log.warn({ err: error }, 'paper trades not booked'))
      .finally(() => (this.#working = null));
  }

  async #settleAll(): Promise<void> {
    while (!this.#isClosing && (await this.#settler.settle()) > 0);
  }
}
