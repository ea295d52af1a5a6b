import type { Migration } from './migration.js';

/** One account per e-mail; sessions found by user, and removed when they have expired. */
export const initialIndexes: Migration = {
  id: '0001-initial-indexes',
  async up(db) {
    await db.collection('users').createIndex({ email: 1 }, { unique: true });
    await db.collection('sessions').createIndex({ userId: 1 });
    await db.collection('sessions').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
