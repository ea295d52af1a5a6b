import assert from 'node:assert/strict';
import { AppError, type ErrorCode } from '../../../compute/model/errors.js';
import { forEach } from '../../../jobs/schedules/for-each.js';

describe('forEach of a schedule', () => {
  /** The items that were started when the second of four fails. */
  const startedWith = async (failure: Error): Promise<number[]> => {
    const started: number[] = [];
    const all = forEach([1, 2, 3, 4], 1, (item) => {
      started.push(item);
      return item === 2 ? Promise.reject(failure) : Promise.resolve();
    });
    await assert.rejects(all, failure);
    return started;
  };

  for (const code of ['unexpected', 'not_enough_history'] satisfies ErrorCode[])
    it(`goes on after ${code}, which concerns one item, and throws it at the end`, async () => {
      assert.deepEqual(await startedWith(new AppError(code, 'this item')), [1, 2, 3, 4]);
    });

  for (const code of ['mongodb_unavailable', 'cancelled', 'queue_full'] satisfies ErrorCode[])
    it(`starts no more after ${code}`, async () => {
      assert.deepEqual(await startedWith(new AppError(code, 'everything')), [1, 2]);
    });

  it('starts no more after an error of another kind', async () => {
    assert.deepEqual(await startedWith(new Error('connection lost')), [1, 2]);
  });
});
