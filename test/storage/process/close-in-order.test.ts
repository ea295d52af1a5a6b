import assert from 'node:assert/strict';
import { closeInOrder } from '../../../storage/process/close-in-order.js';

describe('closeInOrder', () => {
  it('takes all steps in order, also after one that fails, and throws the first failure', async () => {
    const taken: number[] = [];
    const step =
      (n: number, fails = false) =>
      async () => {
        await Promise.resolve();
        taken.push(n);
        if (fails) throw new Error(`step ${n}`);
      };
    const steps = [step(1), step(2, true), () => void taken.push(3), step(4, true), step(5)];
    await assert.rejects(closeInOrder(steps), /^Error: step 2$/);
    assert.deepEqual(taken, [1, 2, 3, 4, 5]);
    await closeInOrder([]);
  });
});
