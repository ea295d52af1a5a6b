import assert from 'node:assert/strict';
import { BoundedQueue } from '../../../storage/users/bounded-queue.js';

/** Tasks that end when they are released. */
function held() {
  const begun: number[] = [];
  const release: (() => void)[] = [];
  const work = (n: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(n);
      release[n] = () => resolve(n);
    });
  return { begun, release, work };
}

describe('BoundedQueue', () => {
  it('runs as many tasks at once as it may, in the order they came', async () => {
    const queue = new BoundedQueue({ concurrency: 2, mostWaiting: 10, longestWaitMs: 60_000 });
    const { begun, release, work } = held();
    const all = [0, 1, 2, 3].map((n) => queue.run(work(n)));
    assert.deepEqual(begun, [0, 1]);
    release[1]();
    assert.equal(await all[1], 1);
    assert.deepEqual(begun, [0, 1, 2]);
    release[0]();
    await all[0];
    for (const n of [2, 3]) release[n]();
    assert.deepEqual(await Promise.all(all), [0, 1, 2, 3]);
  });

  it('goes on after a failure', async () => {
    const queue = new BoundedQueue({ concurrency: 1, mostWaiting: 1, longestWaitMs: 60_000 });
    const failing = queue.run(() => Promise.reject(new Error('broken')));
    const next = queue.run(() => Promise.resolve('next'));
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'next');
  });

  it('refuses a task when too many wait, and none once they are done', async () => {
    const queue = new BoundedQueue({ concurrency: 1, mostWaiting: 1, longestWaitMs: 60_000 });
    const { release, work } = held();
    const [first, second] = [queue.run(work(0)), queue.run(work(1))];
    await assert.rejects(queue.run(work(2)), { code: 'queue_full' });
    release[0]();
    await first;
    release[1]();
    await second;
    assert.equal(await queue.run(() => Promise.resolve(3)), 3);
  });

  it('refuses a task that has waited for too long, and runs the next one', async () => {
    const queue = new BoundedQueue({ concurrency: 1, mostWaiting: 2, longestWaitMs: 20 });
    const { begun, release, work } = held();
    const first = queue.run(work(0));
    await assert.rejects(queue.run(work(1)), { code: 'queue_full', details: { retryAfterSeconds: 2 } });
    const third = queue.run(work(2));
    release[0]();
    await first;
    release[2]();
    assert.equal(await third, 2);
    assert.deepEqual(begun, [0, 2]);
  });
});
