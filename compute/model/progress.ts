/** Receives how far a task is: the phase it is in, and the fraction of the whole task that is done, 0 to 1. */
export type OnProgress = (phase: string, fraction: number) => void;

/** Discards progress. */
export const ignoreProgress: OnProgress = () => undefined;

/** Reports the progress of one part of a task as a fraction of the whole; the part covers the fractions `from` to `to`. */
export const reportPart =
  (onProgress: OnProgress, from: number, to: number): OnProgress =>
  (phase, fraction) =>
    onProgress(phase, from + (to - from) * fraction);

const steps = 1_000_000;

/**
 * The progress of a task in four bytes of shared memory: the thread writes, and the main thread reads at any time. Phase
 * and fraction are one number, so a reader never sees a new phase with an old fraction.
 */
export class ProgressCell {
  readonly #phases: readonly string[];
  readonly #cell: Int32Array;

  constructor(phases: readonly string[], buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#phases = phases;
    this.#cell = new Int32Array(buffer);
  }

  get buffer(): SharedArrayBuffer {
    return this.#cell.buffer as SharedArrayBuffer;
  }

  /** Stores the progress. Ignores a fraction below the last one and a phase that the task does not have. */
  readonly report: OnProgress = (phase, fraction) => {
    const index = this.#phases.indexOf(phase);
    const step = Math.floor(Math.min(1, fraction) * steps);
    if (index < 0 || step < Atomics.load(this.#cell, 0) % (steps + 1)) return;
    Atomics.store(this.#cell, 0, index * (steps + 1) + step);
  };

  /** The progress reported last. */
  read(): { phase: string; fraction: number } {
    const value = Atomics.load(this.#cell, 0);
    return { phase: this.#phases[Math.floor(value / (steps + 1))], fraction: (value % (steps + 1)) / steps };
  }
}
