import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { FairScheduler } from '../../../gateway/limits/fair-scheduler.js';

const wholeSlice = { sliceMs: Infinity, longestHoldMs: Infinity };

/** A scheduler that runs nothing at once, because a connection has just been accepted. */
function busyScheduler(): FairScheduler {
  const scheduler = new FairScheduler(wholeSlice);
  scheduler.noteAccepted();
  return scheduler;
}

/** Counts the passes of the event loop until `isOver`; `each` is called in every one. */
function countPasses(each: () => void = () => undefined) {
  const passes = { count: 0, isOver: false };
  const next = () => {
    passes.count++;
    each();
    if (!passes.isOver) setImmediate(next);
  };
  setImmediate(next);
  return passes;
}

const ranIn = (scheduler: FairScheduler, network: string): Promise<void> =>
  new Promise((resolve) => scheduler.run(network, resolve));

describe('FairScheduler', () => {
  it('lets the networks take turns, each with its oldest work', async () => {
    const scheduler = busyScheduler();
    const ran: string[] = [];
    const ask = (name: string) => ranIn(scheduler, name[0]).then(() => ran.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(ask));
    assert.deepEqual(ran, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('runs work at once while none waits, and as long as the pass has time', () => {
    const scheduler = new FairScheduler(wholeSlice);
    const ran: string[] = [];
    scheduler.run('a', () => {
      ran.push('first');
      scheduler.run('a', () => ran.push('within'));
    });
    assert.deepEqual(ran, ['first']);
    const slow = new FairScheduler({ sliceMs: 0, longestHoldMs: 0 });
    slow.run('a', () => ran.push('late'));
    assert.deepEqual(ran, ['first']);
  });

  it('lets one of several requests go on at once, and the others at their turns', async () => {
    const scheduler = new FairScheduler(wholeSlice);
    const passes = countPasses();
    const ran: number[] = [];
    await Promise.all([1, 2, 3].map(() => scheduler.turnOf('a').then(() => ran.push(passes.count))));
    passes.isOver = true;
    assert.deepEqual([ran[0], ran[1] > 0, ran[2] > 0], [0, true, true]);
  });

  it('goes on in another pass of the event loop when its slice is over', async () => {
    const scheduler = new FairScheduler({ sliceMs: 0, longestHoldMs: 0 });
    const passes = countPasses();
    const ran: number[] = [];
    await Promise.all([1, 2, 3, 4].map(() => ranIn(scheduler, 'a').then(() => ran.push(passes.count))));
    passes.isOver = true;
    assert.equal(new Set(ran).size, 4);
  });

  it('counts what follows a settled promise as part of the work', async () => {
    const scheduler = busyScheduler();
    const ran: string[] = [];
    const ask = async (name: string) => {
      await scheduler.turnOf('a');
      ran.push(`${name} begins`);
      for (let n = 0; n < 20; n++) await Promise.resolve();
      await scheduler.turnOf('a');
      ran.push(`${name} ends`);
    };
    await Promise.all([ask('first'), ask('second')]);
    assert.deepEqual(ran, ['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('reads one connection in a pass of the event loop', async () => {
    const scheduler = new FairScheduler(wholeSlice);
    const passes = countPasses();
    const ran: number[] = [];
    const read = () =>
      new Promise<void>((resolve) =>
        scheduler.read('a', () => {
          ran.push(passes.count);
          resolve();
        }),
      );
    await Promise.all([read(), read(), read()]);
    passes.isOver = true;
    assert.equal(new Set(ran).size, 3);
  });

  it('holds work back as long as each pass accepts a connection', async () => {
    const scheduler = new FairScheduler(wholeSlice);
    scheduler.noteAccepted();
    const passes = countPasses(() => {
      if (passes.count < 100) scheduler.noteAccepted();
    });
    await ranIn(scheduler, 'a');
    passes.isOver = true;
    assert.ok(passes.count >= 100, `ran in pass ${passes.count}`);
  });

  it('does not wait for ever while connections keep coming', async () => {
    const scheduler = new FairScheduler();
    const passes = countPasses(() => scheduler.noteAccepted());
    await Promise.all([ranIn(scheduler, 'a'), ranIn(scheduler, 'b')]);
    passes.isOver = true;
  });

  it('runs work outside of the asynchronous context of other work', async () => {
    const scheduler = new FairScheduler(wholeSlice);
    const context = new AsyncLocalStorage<string>();
    const found: (string | undefined)[] = [];
    await context.run('a request', async () => {
      const ran = [1, 2].map(() =>
        new Promise<void>((resolve) =>
          scheduler.run('a', () => {
            found.push(context.getStore());
            resolve();
          }),
        ).then(() => assert.equal(context.getStore(), 'a request')),
      );
      await Promise.all(ran);
    });
    assert.deepEqual(found, [undefined, undefined]);
  });
});
