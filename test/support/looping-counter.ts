import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.js';

/** A number in shared memory that a looping thread counts up, to see from outside whether it still runs. */
export class LoopingCounter {
  readonly counter = new Int32Array(new SharedArrayBuffer(4));

  /** Resolves when a thread counts. */
  async started(): Promise<void> {
    const before = Atomics.load(this.counter, 0);
    await until('a looping thread', () => Atomics.load(this.counter, 0) !== before);
  }

  /** Resolves when no thread counts any more: 20 ms without a step. */
  async stopped(withinMs = 2_000): Promise<void> {
    await until(
      'the end of a looping thread',
      async () => {
        const before = Atomics.load(this.counter, 0);
        await delay(20);
        return Atomics.load(this.counter, 0) === before;
      },
      withinMs,
    );
  }
}
