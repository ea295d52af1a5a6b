import type { ProgressCell, OnProgress } from '../../compute/model/progress.js';

/** How often is looked how far tasks have come: more often nobody could follow. */
const lookMs = 150;

/** Looks now and then how far running tasks have come, and passes on what has changed. One clock for all of them. */
export class ProgressWatch {
  readonly #looks = new Set<() => void>();
  #clock: NodeJS.Timeout | undefined;

  /** Passes on what stands in the cell, once it has moved, until the returned function is called. */
  start(cell: ProgressCell, onProgress: OnProgress): () => void {
    let told = 0;
    const look = () => {
      const { phase, fraction } = cell.read();
      if (fraction <= told) return;
      told = fraction;
      onProgress(phase, fraction);
    };
    this.#looks.add(look);
    this.#clock ??= setInterval(() => this.#lookAtAll(), lookMs).unref();
    return () => {
      this.#looks.delete(look);
      if (this.#looks.size > 0) return;
      clearInterval(this.#clock);
      this.#clock = undefined;
    };
  }

  #lookAtAll(): void {
    for (const look of this.#looks) look();
  }
}
