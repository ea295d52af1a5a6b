import type { Migration } from './migration.js';

/** Conversations with the assistant by user and time, and the tokens of language models; both expire. */
export const conversations: Migration = {
  id: '0017-conversations',
  async up(db, confirm) {
    await db.collection('conversations').createIndex({ userId: 1, order: -1 });
    await confirm();
    await db.collection('conversations').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    await confirm();
    await db.collection('token_use').createIndex({ userId: 1 }, { sparse: true });
    await confirm();
    await db.collection('token_use').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
