/** Runs work at once and then again and again, `everyMs` apart. A run that is due while one runs is left out. */
export class RepeatedWork {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;

  /** `work` never rejects; its signal is aborted when no further run may begin. */
  constructor(work: (signal: AbortSignal) => Promise<void>, everyMs: number) {
    this.#work = work;
    this.#timer = setInterval(() => this.#next(), everyMs);
    this.#next();
  }

  /** Resolves when the work that runs has ended. No other run begins. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  #next(): void {
    this.#running ??= this.#work(this.#closing.signal).finally(() => (this.#running = null));
  }
}
