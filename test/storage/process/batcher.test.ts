import assert from 'node:assert/strict';
import { Batcher, type BatcherOptions } from '../../../storage/process/batcher.js';

interface Item {
  name: string;
  owner: string;
  size: number;
}

const itemsOf = (owner: string, ...names: string[]): Item[] =>
  names.map((name) => ({ name, owner, size: 1 }));

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A batcher whose batches end when `finish` is called, the oldest first. */
function opened(options: Partial<BatcherOptions<Item>> = {}) {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher<Item>({
    concurrency: 1,
    ...options,
    send: (batch) =>
      new Promise((resolve) => {
        sent.push(batch.map(({ name }) => name).join(' '));
        ends.push(resolve);
      }),
  });
  const finish = async () => {
    ends.shift()!();
    await tick();
  };
  const push = async (...items: Item[]) => {
    for (const item of items) batcher.push(item);
    await tick();
  };
  return { batcher, sent, finish, push };
}

describe('a batcher', () => {
  it('sends the items of one tick as one batch, and those that come meanwhile as the next', async () => {
    const { sent, finish, push, batcher } = opened();
    await push(...itemsOf('a', '1', '2'));
    await push(...itemsOf('a', '3'));
    await push(...itemsOf('a', '4'));
    assert.deepEqual([sent, batcher.size], [['1 2'], 2]);
    await finish();
    assert.deepEqual([sent, batcher.size], [['1 2', '3 4'], 0]);
  });

  it('lets owners take turns', async () => {
    const { sent, push, finish } = opened({ ownerOf: ({ owner }) => owner, maxCount: 3 });
    await push(...itemsOf('a', 'a1', 'a2', 'a3', 'a4'), ...itemsOf('b', 'b1'), ...itemsOf('c', 'c1', 'c2'));
    await finish();
    await finish();
    assert.deepEqual(sent, ['a1 b1 c1', 'a2 c2 a3', 'a4']);
  });

  it('has at most so many batches on their way', async () => {
    const { sent, push, finish } = opened({ concurrency: 2, maxCount: 1 });
    await push(...itemsOf('a', '1', '2', '3'));
    assert.deepEqual(sent, ['1', '2']);
    await finish();
    assert.deepEqual(sent, ['1', '2', '3']);
  });

  it('divides what waits among the free sends', async () => {
    const { sent, push } = opened({ concurrency: 2, spread: true });
    await push(...itemsOf('a', '1', '2', '3'));
    assert.deepEqual(sent, ['1 2', '3']);
  });

  it('never mixes keys, and keeps the order', async () => {
    const { sent, push, finish } = opened({ keyOf: ({ owner }) => owner });
    await push(...itemsOf('a', '1', '2'), ...itemsOf('b', '3'), ...itemsOf('a', '4'));
    await finish();
    await finish();
    assert.deepEqual(sent, ['1 2', '3', '4']);
  });

  it('puts items back to the front, removes one, and clears all', async () => {
    const { batcher, sent, push, finish } = opened();
    const [one, two, three, four] = itemsOf('a', '1', '2', '3', '4');
    await push(one);
    await push(two, three);
    batcher.putBack([one, four]);
    assert.equal(batcher.remove(two), true);
    assert.equal(batcher.remove(two), false);
    await finish();
    assert.deepEqual(sent, ['1', '1 4 3']);
    await push(two, three);
    assert.deepEqual(batcher.clear(), [two, three]);
    assert.equal(batcher.size, 0);
    await finish();
    assert.deepEqual(sent, ['1', '1 4 3']);
  });
});
