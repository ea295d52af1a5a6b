import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AuthorizationTransaction } from '../../../storage/oauth/transactions.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const asked: AuthorizationTransaction = {
  clientId: 'client_test',
  clientName: 'A client',
  redirectUri: 'http://127.0.0.1:7777/callback',
  state: 'a state',
  challenge: 'a challenge',
  challengeMethod: 'S256',
  scopes: ['read:analysis'],
  resource: 'http://localhost:3000/mcp',
};

describe('AuthorizationTransactionRepository', () => {
  const context = temporaryStorage();
  const transactions = () => context.storage.authorizations;
  const now = Date.now();

  it('keeps a request for 10 minutes, for one page in one browser', async () => {
    const id = await transactions().begin(asked, 'a browser', now);
    assert.match(id, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(await transactions().find(id, 'a browser', now + 599_999), asked);
    assert.equal(await transactions().find(id, 'a browser', now + 600_000), null);
    assert.equal(await transactions().find(id, 'another browser', now), null);
    assert.equal(await transactions().find('another page', 'a browser', now), null);
  });

  it('gives a request to one of 20 decisions at the same time, and to none of another browser', async () => {
    const id = await transactions().begin({ ...asked, state: null }, 'a browser', now);
    assert.equal(await transactions().take(id, 'another browser', now), null);
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => transactions().take(id, 'a browser', now)),
    );
    assert.deepEqual(
      taken.filter((each) => each !== null),
      [{ ...asked, state: null }],
    );
    assert.equal(await transactions().find(id, 'a browser', now), null);
  });

  it('stores the SHA-256 of both secrets, and drops what has expired', async () => {
    const id = await transactions().begin(asked, 'a third browser', now - 600_000);
    const stored = context.db.collection<{ _id: string }>('oauth_transactions');
    const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
    const found = await stored.findOne({ _id: sha256(id) });
    assert.deepEqual(found, {
      ...{ ...asked, _id: sha256(id), browserKey: sha256('a third browser') },
      expiresAt: new Date(now),
    });
    assert.equal(await context.storage.expiring.drop('oauth_transactions', new Date(now)), 1);
    assert.equal(await stored.countDocuments({ _id: sha256(id) }), 0);
  });
});
