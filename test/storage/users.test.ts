import assert from 'node:assert/strict';
import { temporaryStorage } from './temporary-storage.js';

describe('UserRepository', () => {
  const context = temporaryStorage();
  const users = () => context.storage.users;

  it('finds a user by the e-mail in any case', async () => {
    const added = await users().add({ email: 'Ada@Example.com', plan: 'plus', passwordHash: 'hash' });
    const { id, createdAt, ...rest } = added;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.ok(createdAt instanceof Date);
    assert.deepEqual(rest, { email: 'ada@example.com', plan: 'plus', operator: false, passwordHash: 'hash' });
    assert.deepEqual(await users().byId(id), added);
    assert.deepEqual(await users().byEmail('aDA@eXAMPLE.COM'), added);
  });

  it('has nobody for an unknown e-mail', async () => {
    assert.equal(await users().byEmail('nobody@example.com'), null);
  });

  it('refuses a second account for the same e-mail, whatever its case', async () => {
    const first = await users().add({ email: 'eve@example.com', plan: 'free', passwordHash: 'first' });
    await assert.rejects(users().add({ email: 'EVE@example.com', plan: 'pro', passwordHash: 'second' }), {
      code: 'already_exists',
      message: 'user "eve@example.com" exists already',
    });
    assert.deepEqual(await users().byEmail('eve@example.com'), first);
  });

  it('adds exactly one of many at once', async () => {
    const clients = [context.storage, context.another()];
    const adding = Array.from({ length: 8 }, (_, i) =>
      clients[i % 2].users.add({ email: 'Race@example.com', plan: 'free', passwordHash: `${i}` }),
    );
    const results = await Promise.allSettled(adding);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const stored = await context.db.collection('users').countDocuments({ email: 'race@example.com' });
    assert.equal(stored, 1);
  });

  it('changes a password, and says when there is no such user', async () => {
    await users().add({ email: 'joe@example.com', plan: 'free', passwordHash: 'old' });
    assert.equal(await users().setPassword('JOE@example.com', 'new'), true);
    assert.equal((await users().byEmail('joe@example.com'))?.passwordHash, 'new');
    assert.equal(await users().setPassword('nobody@example.com', 'new'), false);
    assert.equal(await users().byEmail('nobody@example.com'), null);
  });
});
