import type { ProgressCell, OnProgress } from '../../compute/model/progress.js';

/** How often (ms) progress is read: a person cannot follow faster changes. */
const readMs = 150;

/** Reads the progress of running tasks with one timer, and passes on what has changed. */
export class ProgressWatch {
  readonly #reads = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** Passes on the progress in the cell when it has changed, until the returned function is called. */
  start(cell: ProgressCell, onProgress: OnProgress): () => void {
    let reported = 0;
    const read = () => {
      const { phase, fraction } = cell.read();
      if (fraction <= reported) return;
      reported = fraction;
      onProgress(phase, fraction);
    };
    this.#reads.add(read);
    this.#timer ??= setInterval(() => this.#readAll(), readMs).unref();
    return () => {
      this.#reads.delete(read);
      if (this.#reads.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #readAll(): void {
    for (const read of this.#reads) read();
  }
}
