/**
 * Runs work at once and then again and again, `everyMs` apart. A run that is due while one runs is left out. `onError` is
 * called with the error of a run that failed; the next run comes all the same.
 */
export class RepeatedWork {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;

  /** The signal that `work` is given is aborted when no further run may begin. */
  constructor(
    work: (signal: AbortSignal) => Promise<void>,
    everyMs: number,
    onError: (error: unknown) => void,
  ) {
    this.#work = work;
    this.#onError = onError;
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
    this.#running ??= this.#work(this.#closing.signal)
      .catch(this.#onError)
      .finally(() => (this.#running = null));
  }
}
