/** Tells how far a task has come: what it is doing, and how much of all is done, 0 to 1. */
export type Tell = (phase: string, fraction: number) => void;

/** For work that nobody listens to. */
export const tellNobody: Tell = () => undefined;

/** The same for a part of a task, which goes from one fraction of the whole to another. */
export const tellPart =
  (tell: Tell, from: number, to: number): Tell =>
  (phase, fraction) =>
    tell(phase, from + (to - from) * fraction);

const steps = 1_000_000;

/**
 * How far a task has come, in four bytes of shared memory: its thread writes, and who waits for it looks whenever it
 * wants. Phase and fraction are one number, so that nobody sees half of each.
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

  /** Writes down where the task is; a fraction below the last one, or a phase that it does not have, is left out. */
  readonly tell: Tell = (phase, fraction) => {
    const index = this.#phases.indexOf(phase);
    const step = Math.floor(Math.min(1, fraction) * steps);
    if (index < 0 || step < Atomics.load(this.#cell, 0) % (steps + 1)) return;
    Atomics.store(this.#cell, 0, index * (steps + 1) + step);
  };

  /** Where the task is. */
  read(): { phase: string; fraction: number } {
    const value = Atomics.load(this.#cell, 0);
    return { phase: this.#phases[Math.floor(value / (steps + 1))], fraction: (value % (steps + 1)) / steps };
  }
}
