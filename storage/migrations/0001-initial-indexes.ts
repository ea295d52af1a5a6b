import type { Migration } from './migration.js';

/** Unique e-mails; sessions by user, deleted when they expire. */
export const initialIndexes: Migration = {
  id: '0001-initial-indexes',
  async up(db, confirm) {
    await db.collection('users').createIndex({ email: 1 }, { unique: true });
    await confirm();
    await db.collection('sessions').createIndex({ userId: 1 });
    await confirm();
    await db.collection('sessions').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
