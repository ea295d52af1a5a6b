import assert from 'node:assert/strict';
import { DueList } from '../../../jobs/durable/due-list.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('DueList', () => {
  const context = temporaryRedis();
  const slot = (partnerId: string, n = 0) => ({ partnerId, slot: n });
  const rows = (partnerId: string, ...ids: string[]) => ids.map((id) => ({ id, ...slot(partnerId) }));

  it('keeps the order in which rows came, by slot, and gives each once', async () => {
    const due = new DueList(context.redis);
    await due.add([...rows('one', 'a', 'b'), ...rows('other', 'x'), { id: 'c', ...slot('one', 1) }]);
    await due.add(rows('one', 'd'));
    const takeOne = async () => {
      const taken = await due.take(slot('one'), 2);
      await due.done(slot('one'));
      return taken;
    };
    assert.deepEqual(await takeOne(), ['a', 'b']);
    assert.deepEqual(await takeOne(), ['d']);
    assert.deepEqual(await takeOne(), []);
    assert.deepEqual(await due.take(slot('one', 1), 2), ['c']);
    assert.deepEqual(await due.take(slot('other'), 2), ['x']);
  });

  it('puts what prices have crossed before a delivery that waits', async () => {
    const due = new DueList(context.redis);
    await due.add(rows('busy', ...Array.from({ length: 1_000 }, (_, n) => `delivered ${n}`)));
    await due.add(rows('busy', 'crossed 1', 'crossed 2'), 'first');
    assert.deepEqual(await due.take(slot('busy'), 3), ['crossed 1', 'crossed 2', 'delivered 0']);
  });

  it('gives rows again of which no worker has said that it has worked on them', async () => {
    const due = new DueList(context.redis);
    await due.add(rows('killed', 'a', 'b', 'c'));
    assert.deepEqual(await due.take(slot('killed'), 2), ['a', 'b']);
    assert.deepEqual(await due.take(slot('killed'), 1), ['a', 'b']);
    await due.done(slot('killed'));
    assert.deepEqual(await due.take(slot('killed'), 2), ['c']);
    await due.done(slot('killed'));
    assert.deepEqual(await due.take(slot('killed'), 2), []);
  });

  it('names a row once that was added twice, and is bounded', async () => {
    const due = new DueList(context.redis);
    await due.add(rows('twice', 'a', 'a', 'b'));
    assert.deepEqual(await due.take(slot('twice'), 10), ['a', 'b']);
    await due.add(rows('many', ...Array.from({ length: 20_001 }, (_, n) => String(n))));
    assert.equal((await due.take(slot('many'), 30_000)).length, 20_000);
  });
});
