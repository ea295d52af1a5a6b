import assert from 'node:assert/strict';
import { Collection } from 'mongodb';
import { newGrant } from '../../support/oauth/new-grant.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

// The driver sends an insert again when its connection breaks. A server that died has stored it, but may not know that it had it.
describe('an insert that the driver has sent again', () => {
  const context = temporaryStorage();
  // oxlint-disable-next-line typescript/unbound-method
  const insertOne = Collection.prototype.insertOne;
  before(() => {
    Collection.prototype.insertOne = async function (this: Collection, ...given) {
      await insertOne.apply(this, given);
      return insertOne.apply(this, given);
    };
  });
  after(() => void (Collection.prototype.insertOne = insertOne));

  it('is there once, and no error of who signs in or connects an application', async () => {
    const { sessions, grants, authorizations, oauthClients, personalTokens } = context.storage;
    await sessions.open('user', 'web');
    await grants.consent(newGrant({ userId: 'user' }));
    const asked = { ...newGrant(), state: null, challengeMethod: 'S256' as const };
    await authorizations.begin(asked, 'browser');
    await oauthClients.add({ name: 'An app', redirectUris: ['https://app.example'] });
    await personalTokens.add({ userId: 'user', name: 'laptop', scopes: [], expiresAt: new Date(9e12) });
    const { connections, users } = context.storage;
    const { id: userId } = await users.add({ email: 'a@example.com', plan: 'free', passwordHash: null });
    const createdAt = new Date();
    await connections.add({
      id: connections.newId(),
      userId,
      exchange: 'X',
      mayTrade: true,
      key: {} as never,
      createdAt,
    });
    for (const name of [
      'users',
      'connections',
      'sessions',
      'personal_tokens',
      'oauth_grants',
      'oauth_transactions',
      'oauth_clients',
    ])
      assert.equal(await context.db.collection(name).countDocuments(), 1, name);
  });
});
