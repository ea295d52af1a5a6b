import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { KeyedMutex } from '../../../storage/process/keyed-mutex.js';

describe('a keyed mutex', () => {
  it('runs the work of a key one after the other, in order, also after work that fails', async () => {
    const mutex = new KeyedMutex();
    const events: string[] = [];
    const work = (n: number, ms: number) => async () => {
      events.push(`${n} begins`);
      await pause(ms);
      events.push(`${n} ends`);
      if (n === 2) throw new RangeError('two');
      return n;
    };
    const results = await Promise.allSettled([
      mutex.run('a', work(1, 20)),
      mutex.run('a', work(2, 5)),
      mutex.run('a', work(3, 0)),
    ]);
    assert.deepEqual(
      results.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      [1, 'two', 3],
    );
    assert.deepEqual(
      events,
      [1, 2, 3].flatMap((n) => [`${n} begins`, `${n} ends`]),
    );
    assert.equal(mutex.size, 0);
  });

  it('lets no key wait for another', async () => {
    const mutex = new KeyedMutex();
    let end!: (result: string) => void;
    const first = mutex.run('a', () => new Promise<string>((resolve) => (end = resolve)));
    assert.equal(await mutex.run('b', async () => 'b'), 'b');
    assert.equal(mutex.size, 1);
    end('a');
    assert.equal(await first, 'a');
  });
});
