import assert from 'node:assert/strict';
import { gathered, SharedCalls } from '../../../storage/process/shared-calls.js';

describe('SharedCalls', () => {
  it('makes calls of one key that overlap once, and others each', async () => {
    const calls = new SharedCalls<number>();
    let made = 0;
    const make = async () => {
      const number = ++made;
      await Promise.resolve();
      return number;
    };
    const results = await Promise.all([calls.run('a', make), calls.run('a', make), calls.run('b', make)]);
    assert.deepEqual(results, [1, 1, 2]);
    assert.deepEqual([calls.isRunning('a'), await calls.run('a', make)], [false, 3]);
  });

  it('gives every caller the error, and makes the next call', async () => {
    const calls = new SharedCalls<string>();
    const fail = () => Promise.reject(new Error('not read'));
    const failures = [calls.run('a', fail), calls.run('a', fail)];
    assert.equal(calls.isRunning('a'), true);
    for (const failure of failures) await assert.rejects(failure, { message: 'not read' });
    assert.equal(await calls.run('a', () => Promise.resolve('read')), 'read');
  });

  it('has settled when every call has ended, well or not', async () => {
    const calls = new SharedCalls<string>();
    let end!: (text: string) => void;
    const slow = calls.run('slow', () => new Promise((resolve) => (end = resolve)));
    const failing = calls.run('failing', () => Promise.reject(new Error('not read')));
    let hasSettled = false;
    const settled = calls.settled().then(() => (hasSettled = true));
    await assert.rejects(failing);
    assert.equal(hasSettled, false);
    end('read');
    assert.deepEqual([await slow, await settled], ['read', true]);
    await calls.settled();
  });
});

describe('gathered', () => {
  it('makes the calls of one turn as one, and those that come later apart', async () => {
    const made: string[][] = [];
    const list = gathered((asked: readonly string[]) => {
      made.push([...asked]);
      return Promise.resolve(asked.join());
    });
    assert.deepEqual(await Promise.all([list(['a', 'b']), list(['c'])]), ['a,b,c', 'a,b,c']);
    const later = list(['d']);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await Promise.all([later, list(['e'])]), ['d', 'e']);
    assert.deepEqual(made, [['a', 'b', 'c'], ['d'], ['e']]);
  });

  it('makes each by itself where all together fail: one that is refused costs the others nothing', async () => {
    const list = gathered((asked: readonly string[]) =>
      asked.includes('bad') ? Promise.reject(new Error('refused')) : Promise.resolve(asked.join()),
    );
    const [good, bad] = await Promise.allSettled([list(['good']), list(['bad'])]);
    assert.deepEqual([good.status, bad.status], ['fulfilled', 'rejected']);
    assert.equal((good as PromiseFulfilledResult<string>).value, 'good');
  });
});
