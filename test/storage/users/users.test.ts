import assert from 'node:assert/strict';
import { removeUser } from '../../../storage/users/remove-user.js';
import { UserRepository } from '../../../storage/users/users.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('UserRepository', () => {
  const context = temporaryStorage();
  const users = () => context.storage.users;

  it('finds a user by the e-mail in any case', async () => {
    const added = await users().add({ email: 'Ada@Example.com', plan: 'plus', passwordHash: 'hash' });
    const { id, createdAt, ...rest } = added;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.ok(createdAt instanceof Date);
    assert.deepEqual(rest, {
      email: 'ada@example.com',
      plan: 'plus',
      operator: false,
      passwordHash: 'hash',
      emailVerifiedAt: createdAt,
    });
    assert.deepEqual(await users().byId(id), added);
    assert.deepEqual(await users().byEmail('aDA@eXAMPLE.COM'), added);
  });

  it('returns null for an unknown e-mail', async () => {
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

  it('has one account for an e-mail, however its accents are written', async () => {
    const made = await users().add({ email: 'ren\u00e9@example.com', plan: 'free', passwordHash: null });
    assert.deepEqual(await users().byEmail('RENE\u0301@example.com'), made);
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

  const unknownId = '0123456789abcdef01234567';

  it('changes a password, and says when there is no such user or it was another', async () => {
    const { id } = await users().add({ email: 'joe@example.com', plan: 'free', passwordHash: 'old' });
    assert.equal(await users().setPassword(id, 'new'), true);
    assert.equal((await users().byId(id))?.passwordHash, 'new');
    assert.equal(await users().setPassword(id, 'newer', 'old'), false);
    assert.equal(await users().setPassword(id, 'newer', 'new'), true);
    assert.equal((await users().byId(id))?.passwordHash, 'newer');
    assert.equal(await users().setPassword(unknownId, 'new'), false);
    assert.equal(await users().byId(unknownId), null);
  });

  it('lets one of many changes of the same password through', async () => {
    const { id } = await users().add({ email: 'many@example.com', plan: 'free', passwordHash: 'old' });
    const changes = Array.from({ length: 8 }, (_, n) => users().setPassword(id, `${n}`, 'old'));
    assert.equal((await Promise.all(changes)).filter((changed) => changed).length, 1);
  });

  it('changes plan and operator, and announces each change', async () => {
    const told: unknown[] = [];
    const announcing = new UserRepository(context.db, async (revoked) => void told.push(revoked));
    const { id } = await announcing.add({ email: 'kim@example.com', plan: 'free', passwordHash: null });
    assert.deepEqual(
      [await announcing.setPlan(id, 'pro'), await announcing.setOperator(id, true)],
      [true, true],
    );
    const { plan, operator, passwordHash } = (await users().byId(id))!;
    assert.deepEqual([plan, operator, passwordHash], ['pro', true, null]);
    assert.deepEqual(
      [await announcing.setPlan(unknownId, 'pro'), await announcing.remove(unknownId)],
      [false, false],
    );
    assert.equal(await announcing.remove(id), true);
    assert.equal(await users().byId(id), null);
    const ids = [id, id, unknownId, unknownId, id];
    assert.deepEqual(
      told,
      ids.map((each) => ({ users: [each] })),
    );
  });

  it('takes the password from an account that is not confirmed', async () => {
    const squatter = {
      email: 'lee@example.com',
      plan: 'free',
      passwordHash: 'theirs',
      emailVerified: false,
    } as const;
    const { id } = await users().add(squatter);
    assert.equal(await users().dropPassword(id), true);
    assert.equal((await users().byId(id))!.passwordHash, null);
    await users().setPassword(id, 'its own');
    assert.equal(await users().confirmEmail(id, 'lee@example.com'), true);
    assert.equal(await users().dropPassword(id), false);
    assert.equal((await users().byId(id))!.passwordHash, 'its own');
  });

  it('marks an e-mail as verified and takes that back', async () => {
    const { id } = await users().add({
      ...{ email: 'mae@example.com', plan: 'free', passwordHash: 'x' },
      emailVerified: false,
    } as const);
    assert.equal((await users().byId(id))!.emailVerifiedAt, null);
    assert.equal(await users().setEmailVerified(id, true), true);
    assert.ok((await users().byId(id))!.emailVerifiedAt instanceof Date);
    assert.equal(await users().setEmailVerified(id, false), true);
    assert.equal((await users().byId(id))!.emailVerifiedAt, null);
    assert.equal(await users().setEmailVerified(unknownId, true), false);
  });

  it('lists all users by e-mail', async () => {
    const emails = (await users().list()).map(({ email }) => email);
    assert.ok(emails.length > 3);
    assert.deepEqual(emails, [...emails].sort());
  });
});

describe('removeUser', () => {
  const context = temporaryStorage();

  it('leaves nothing that signs in', async () => {
    const { users, sessions, identities } = context.storage;
    const { id } = await users.add({ email: 'ada@example.com', plan: 'free', passwordHash: 'x' });
    const other = await users.add({ email: 'bob@example.com', plan: 'free', passwordHash: 'x' });
    const identity = { issuer: 'https://id.example', subject: '1' };
    await identities.link(identity, id);
    await identities.link({ ...identity, subject: '2' }, other.id);
    for (const userId of [id, id, other.id]) await sessions.open(userId, 'web');
    assert.equal(await removeUser(context.storage, id), true);
    assert.deepEqual([await users.byId(id), await sessions.ofUser(id)], [null, []]);
    assert.equal(await identities.userIdOf(identity), null);
    assert.equal(await identities.userIdOf({ ...identity, subject: '2' }), other.id);
    assert.equal((await sessions.ofUser(other.id)).length, 1);
    assert.equal(await removeUser(context.storage, id), false);
  });
});
