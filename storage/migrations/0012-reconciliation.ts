import type { Migration } from './migration.js';

/** Users with executions that go on by exchange, and orders of unknown origin by user. Those are gone after ten minutes. */
export const reconciliation: Migration = {
  id: '0012-reconciliation',
  async up(db, confirm) {
    await db.collection('executions').createIndex({ endedAt: 1, exchange: 1, userId: 1 });
    await confirm();
    await db.collection('foreign_orders').createIndex({ userId: 1 });
    await confirm();
    await db.collection('foreign_orders').createIndex({ seenAt: 1 }, { expireAfterSeconds: 600 });
  },
};
