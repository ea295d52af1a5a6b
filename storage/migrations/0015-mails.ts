import type { Migration } from './migration.js';

/** Mails by the time they are due, by link and by user; they go by themselves when the link has expired. */
export const mails: Migration = {
  id: '0015-mails',
  async up(db, confirm) {
    const collection = db.collection('mails');
    for (const key of [{ dueAt: 1 }, { linkHash: 1 }, { userId: 1 }] as const) {
      await collection.createIndex(key);
      await confirm();
    }
    await collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
