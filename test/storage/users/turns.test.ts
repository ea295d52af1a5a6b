import assert from 'node:assert/strict';
import { Turns } from '../../../storage/users/turns.js';

/** Work that ends when it is told to. */
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

describe('Turns', () => {
  it('lets as many run at once as it should, in the order they came', async () => {
    const turns = new Turns(2, 10, 60_000);
    const { begun, release, work } = held();
    const all = [0, 1, 2, 3].map((n) => turns.run(work(n)));
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
    const turns = new Turns(1, 1, 60_000);
    const failing = turns.run(() => Promise.reject(new Error('broken')));
    const next = turns.run(() => Promise.resolve('next'));
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'next');
  });

  it('refuses who would wait behind too many, and nobody after that is over', async () => {
    const turns = new Turns(1, 1, 60_000);
    const { release, work } = held();
    const [first, second] = [turns.run(work(0)), turns.run(work(1))];
    await assert.rejects(turns.run(work(2)), { code: 'queue_full' });
    release[0]();
    await first;
    release[1]();
    await second;
    assert.equal(await turns.run(() => Promise.resolve(3)), 3);
  });

  it('refuses who has waited for too long, and lets the next one run', async () => {
    const turns = new Turns(1, 2, 20);
    const { begun, release, work } = held();
    const first = turns.run(work(0));
    await assert.rejects(turns.run(work(1)), { code: 'queue_full', details: { retryAfterSeconds: 2 } });
    const third = turns.run(work(2));
    release[0]();
    await first;
    release[2]();
    assert.equal(await third, 2);
    assert.deepEqual(begun, [0, 2]);
  });
});
