import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { Leases } from '../../../storage/servers/leases.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('Leases', () => {
  const context = temporaryStorage();
  const leases = () => context.db.collection<Document & { _id: string }>('leases');

  it('lets one holder at a time work, over clients of their own', async () => {
    const clients = [context.storage, context.another(), context.another()];
    let working = 0;
    let done = 0;
    const work = async () => {
      assert.equal(++working, 1);
      await context.db.command({ ping: 1 });
      await turn();
      working--;
      done++;
    };
    const holds = clients.flatMap(({ leases }) => [leases.hold('one', work), leases.hold('one', work)]);
    await Promise.all(holds);
    assert.equal(done, 6);
    assert.equal(await leases().countDocuments({ holder: { $exists: true } }), 0);
  });

  it('returns what the work returns', async () => {
    assert.equal(await context.storage.leases.hold('value', async () => 7), 7);
  });

  it('gives the lease back when the work fails', async () => {
    const failing = context.storage.leases.hold('fails', async () => {
      throw new Error('no luck');
    });
    await assert.rejects(failing, { message: 'no luck' });
    assert.equal(await context.another().leases.hold('fails', async () => 'next'), 'next');
  });

  it('gives the result or the error of the work, also when the lease cannot be released', async () => {
    const held = { token: 1, tookOver: false };
    const failing = new Leases({
      take: async () => held,
      renew: async () => true,
      release: () => Promise.reject(new Error('away')),
      dropAbandoned: async () => 0,
    });
    assert.equal(await failing.hold('one', async () => 7), 7);
    assert.deepEqual(await failing.attempt('one', async () => 7), { result: 7 });
    const work = failing.hold('one', () => Promise.reject(new Error('no luck')));
    await assert.rejects(work, { message: 'no luck' });
  });

  it('does not make different names wait for each other', async () => {
    const { leases } = context.storage;
    assert.equal(await leases.hold('outer', () => leases.hold('inner', async () => 'both')), 'both');
  });

  it('passes over a holder that died', async () => {
    await leases().insertOne({ _id: 'dead', holder: 'dead', expiresAt: new Date(Date.now() - 1) });
    assert.equal(await context.storage.leases.hold('dead', async () => 'taken'), 'taken');
    assert.equal(await leases().countDocuments({ _id: 'dead', holder: { $exists: true } }), 0);
  });

  it('waits for a holder that lives until its time is over', async () => {
    const expiresAt = new Date(Date.now() + 400);
    await leases().insertOne({ _id: 'alive', holder: 'alive', expiresAt });
    const startedAt = await context.storage.leases.hold('alive', async () => Date.now());
    assert.ok(startedAt >= expiresAt.getTime(), `started ${expiresAt.getTime() - startedAt} ms too early`);
  });

  it('leaves the lease of its successor alone', async () => {
    await context.storage.leases.hold('lost', async () => {
      await leases().updateOne({ _id: 'lost' }, { $set: { holder: 'successor' } });
    });
    assert.equal((await leases().findOne({ _id: 'lost' }))?.holder, 'successor');
  });

  it('attempts a lease without waiting: null while another holds it, the result else', async () => {
    const [one, other] = [context.storage.leases, context.another().leases];
    await one.hold('busy', async () => {
      assert.equal(await other.attempt('busy', async () => assert.fail('held by two')), null);
    });
    assert.deepEqual(await other.attempt('busy', async () => 7), { result: 7 });
    await assert.rejects(
      other.attempt('busy', async () => {
        throw new Error('no luck');
      }),
      { message: 'no luck' },
    );
    assert.deepEqual(await one.attempt('busy', async () => undefined), { result: undefined });
  });
});
