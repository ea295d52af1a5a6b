import assert from 'node:assert/strict';
import { codeLifetimeMs, GrantRepository, mostGrants } from '../../../storage/oauth/grants.js';
import type { Revoked } from '../../../storage/users/revoked.js';
import { newGrant } from '../../support/oauth/new-grant.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('GrantRepository', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const grants = () => context.storage.grants;
  const now = Date.now();
  /** A grant that has tokens. */
  const connected = async (userId: string, at = now) => {
    const code = await grants().consent(newGrant({ userId }), at);
    assert.ok(await context.storage.grantTokens.exchange(code, at));
  };

  it('lists what a user has connected, newest first, once tokens were given', async () => {
    await connected('lister', now);
    await connected('lister', now + 1);
    await grants().consent(newGrant({ userId: 'lister' }), now + 2);
    const [newest, oldest, ...rest] = await grants().ofUser('lister', now + 3);
    const { id, ...shown } = newest;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.deepEqual(shown, {
      userId: 'lister',
      clientId: 'client_test',
      clientName: 'A client',
      redirectHost: '127.0.0.1:7777',
      scopes: ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'],
      resource: 'http://localhost:3000/mcp',
      createdAt: new Date(now + 1),
      expiresAt: new Date(now + 1 + 30 * 86_400_000),
      lastUsedAt: new Date(now + 1),
    });
    assert.deepEqual([oldest.createdAt, rest], [new Date(now), []]);
    assert.deepEqual(await grants().ofUser('lister', now + 31 * 86_400_000), []);
  });

  it('ends a grant of its own user alone, and announces it', async () => {
    const announced: Revoked[] = [];
    const own = new GrantRepository(context.db, async (revoked) => void announced.push(revoked));
    await connected('owner');
    const [{ id }] = await grants().ofUser('owner', now);
    assert.equal(await own.revoke('another', id), null);
    assert.equal((await grants().ofUser('owner', now)).length, 1);
    assert.equal((await own.revoke('owner', id))?.clientName, 'A client');
    assert.equal(await own.revoke('owner', id), null);
    assert.deepEqual(announced.at(-1), { grants: [id] });
    await connected('owner');
    assert.equal(await own.removeAll('owner'), 1);
    assert.deepEqual(announced.at(-1), { users: ['owner'] });
  });

  it('stores the last use once a minute', async () => {
    await connected('reader');
    const lastUse = async () => (await grants().ofUser('reader', now))[0].lastUsedAt;
    const [{ id }] = await grants().ofUser('reader', now);
    await grants().noteUse(id, now + 59_000);
    assert.deepEqual(await lastUse(), new Date(now));
    await grants().noteUse(id, now + 61_000);
    assert.deepEqual(await lastUse(), new Date(now + 61_000));
  });

  it('drops consents whose code was never exchanged, and expired grants', async () => {
    await grants().consent(newGrant({ userId: 'idle' }), now - 10 * codeLifetimeMs);
    await connected('idle', now - 31 * 86_400_000);
    await connected('idle', now);
    assert.equal(await grants().dropExpired(now), 2);
    assert.equal(await context.db.collection('oauth_grants').countDocuments({ userId: 'idle' }), 1);
  });

  it('ends the oldest of a user who connects more than 100', async () => {
    for (let n = 0; n < mostGrants; n++) await connected('collector', now + n);
    await connected('neighbour');
    await connected('collector', now + mostGrants);
    const left = await grants().ofUser('collector', now);
    assert.deepEqual([left.length, left.at(-1)!.createdAt], [mostGrants, new Date(now + 1)]);
    assert.equal((await grants().ofUser('neighbour', now)).length, 1);
  });
});
