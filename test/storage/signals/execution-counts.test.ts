import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ExecutionCounts, type DeliveredSignal } from '../../../storage/signals/execution-counts.js';
import type { StatusCounts } from '../../../storage/signals/execution-reads.js';

describe('ExecutionCounts', () => {
  let now = 0;
  /** What was counted together, in order. */
  let asked: string[][] = [];
  let running = 0;
  let mostRunning = 0;

  /** Counting a signal takes 500 ms. */
  const reads = {
    async countsOf(ids: readonly string[]): Promise<Map<string, StatusCounts>> {
      asked.push([...ids]);
      mostRunning = Math.max(mostRunning, ++running);
      await turn();
      now += 500 * ids.length;
      running--;
      return new Map(ids.filter((id) => id !== 'empty').map((id) => [id, { open: asked.length }]));
    },
  };
  const signal = (id: string, delivered: number): DeliveredSignal => ({ id, delivery: { delivered } });
  const open = () => new ExecutionCounts({ reads, now: () => now });

  beforeEach(() => {
    now = 0;
    asked = [];
    mostRunning = 0;
  });

  it('reads small signals together and each time', async () => {
    const counts = open();
    const signals = [signal('a', 3), signal('b', 999), signal('empty', 0)];
    await counts.of(signals);
    const second = await counts.of(signals);
    assert.deepEqual(asked, [
      ['a', 'b', 'empty'],
      ['a', 'b', 'empty'],
    ]);
    assert.deepEqual(
      [...second],
      [
        ['a', { open: 2 }],
        ['b', { open: 2 }],
      ],
    );
  });

  it('counts large signals one at a time, once for all who ask meanwhile', async () => {
    const counts = open();
    const large = ['a', 'b', 'c'].map((id) => signal(id, 10_000));
    const answers = await Promise.all(Array.from({ length: 5 }, () => counts.of(large)));
    assert.deepEqual(asked, [['a'], ['b'], ['c']]);
    assert.equal(mostRunning, 1);
    for (const each of answers) assert.deepEqual([...each.keys()], ['a', 'b', 'c']);
  });

  it('does not let small signals wait for large ones', async () => {
    const counts = open();
    const ended: string[] = [];
    const large = counts.of([signal('a', 10_000), signal('b', 10_000)]).then(() => ended.push('large'));
    await counts.of([signal('c', 1)]).then(() => ended.push('small'));
    await large;
    assert.deepEqual(ended, ['small', 'large']);
  });

  it('remembers a large signal for twenty times as long as counting took, at most a minute', async () => {
    const counts = open();
    const countedAt = async (at: number) => {
      now = at;
      return (await counts.of([signal('a', 1_000)])).get('a')!.open;
    };
    assert.equal(await countedAt(0), 1);
    assert.equal(await countedAt(500 + 9_999), 1);
    assert.equal(await countedAt(500 + 10_000), 2);
    const slow = new ExecutionCounts({
      now: () => now,
      reads: {
        countsOf: (ids) => {
          now += 30_000;
          return reads.countsOf(ids);
        },
      },
    });
    now = 0;
    await slow.of([signal('a', 1_000)]);
    now = 30_500 + 59_999;
    await slow.of([signal('a', 1_000)]);
    assert.equal(asked.length, 3);
    now += 1;
    await slow.of([signal('a', 1_000)]);
    assert.equal(asked.length, 4);
  });

  it('tells a failure to those who asked, and counts again for the next', async () => {
    let fails = true;
    const counts = new ExecutionCounts({
      reads: {
        countsOf: async (ids) => {
          if (fails) throw new Error('MongoDB does not answer');
          return reads.countsOf(ids);
        },
      },
    });
    await assert.rejects(counts.of([signal('a', 10_000)]), /does not answer/);
    fails = false;
    assert.equal((await counts.of([signal('a', 10_000)])).size, 1);
  });
});
