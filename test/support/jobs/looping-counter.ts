import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../process/until.js';

/** A number in shared memory that a looping thread counts up, to see from outside whether it still runs. */
export class LoopingCounter {
  readonly counter = new Int32Array(new SharedArrayBuffer(4));

  /** Resolves when a thread counts. */
  async started(): Promise<void> {
    const before = Atomics.load(this.counter, 0);
    await until('a looping thread', () => Atomics.load(this.counter, 0) !== before);
  }

  /**
   * Resolves when no thread counts any more: five looks in a row, 20 ms apart, without a step. A thread that only waits for
   * a busy machine would else count as ended.
   */
  async stopped(): Promise<void> {
    let still = 0;
    await until('the end of a looping thread', async () => {
      const before = Atomics.load(this.counter, 0);
      await delay(20);
      still = Atomics.load(this.counter, 0) === before ? still + 1 : 0;
      return still === 5;
    });
  }
}
