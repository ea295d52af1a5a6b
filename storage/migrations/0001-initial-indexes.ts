import type { Migration } from './migration.js';

/** Unique e-mails; sessions by user, deleted when they expire. */
export const initialIndexes: Migration = {
  id: '0001-initial-indexes',
  async up(db) {
    await db.collection('users').createIndex({ email: 1 }, { unique: true });
    await db.collection('sessions').createIndex({ userId: 1 });
    await db.collection('sessions').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
