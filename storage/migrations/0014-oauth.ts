import type { Migration } from './migration.js';

/** Consents to clients with their tokens, found by the SHA-256 of any secret; expired documents go by themselves. */
export const oauth: Migration = {
  id: '0014-oauth',
  async up(db, confirm) {
    const grants = db.collection('oauth_grants');
    await grants.createIndex({ keys: 1 });
    await confirm();
    await grants.createIndex({ userId: 1, createdAt: -1 });
    await confirm();
    await db.collection('oauth_refresh_claims').createIndex({ grantId: 1, revision: 1 });
    await confirm();
    await db.collection('oauth_clients').createIndex({ lastUsedAt: 1, createdAt: 1 });
    for (const name of ['oauth_grants', 'oauth_refresh_claims', 'oauth_transactions']) {
      await confirm();
      await db.collection(name).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    }
  },
};
