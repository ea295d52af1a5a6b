import type { Migration } from './migration.js';

/** At most one connection for each user and exchange; accounts by user, by exchange and by due time. */
export const accounts: Migration = {
  id: '0002-accounts',
  async up(db, confirm) {
    await db.collection('connections').createIndex({ userId: 1, exchange: 1 }, { unique: true });
    await confirm();
    await db.collection('accounts').createIndex({ userId: 1 });
    await confirm();
    await db.collection('accounts').createIndex({ exchange: 1 });
    await confirm();
    await db.collection('accounts').createIndex({ dueAt: 1 });
  },
};
