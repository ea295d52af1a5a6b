export interface RestartPauseOptions {
  firstMs: number;
  longestMs: number;
  /** A process that was ready for this long counts as healthy. */
  healthyMs: number;
}

const defaultPauses: RestartPauseOptions = { firstMs: 1_000, longestMs: 60_000, healthyMs: 60_000 };

/** The pauses before a process is restarted: each twice as long as the one before, until it was healthy in between. */
export class RestartPause {
  readonly #options: RestartPauseOptions;
  #restarts = 0;
  #readyAt = Infinity;

  constructor(options = defaultPauses) {
    this.#options = options;
  }

  /** The process is ready. */
  noteReady(): void {
    this.#readyAt = performance.now();
  }

  /** The process has ended: the pause before its restart, in ms. */
  next(): number {
    const { firstMs, longestMs, healthyMs } = this.#options;
    if (performance.now() - this.#readyAt >= healthyMs) this.#restarts = 0;
    this.#readyAt = Infinity;
    return Math.min(longestMs, firstMs * 2 ** this.#restarts++);
  }
}
