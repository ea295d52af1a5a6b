import type { Migration } from './migration.js';

/** One connection to an exchange for each user; accounts found by user, by exchange and by when they are due. */
export const accounts: Migration = {
  id: '0002-accounts',
  async up(db) {
    await db.collection('connections').createIndex({ userId: 1, exchange: 1 }, { unique: true });
    await db.collection('accounts').createIndex({ userId: 1 });
    await db.collection('accounts').createIndex({ exchange: 1 });
    await db.collection('accounts').createIndex({ dueAt: 1 });
  },
};
