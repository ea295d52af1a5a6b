import type { Migration } from './migration.js';

/** Personal access tokens: one of each name and place per user; expired ones go by themselves. */
export const personalTokens: Migration = {
  id: '0013-personal-tokens',
  async up(db, confirm) {
    await db.collection('personal_tokens').createIndex({ userId: 1, place: 1 }, { unique: true });
    await confirm();
    await db.collection('personal_tokens').createIndex({ userId: 1, name: 1 }, { unique: true });
    await confirm();
    await db.collection('personal_tokens').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
