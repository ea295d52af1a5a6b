import type { Migration } from './migration.js';

/** Backtests by user and time, deleted when they expire. */
export const backtests: Migration = {
  id: '0006-backtests',
  async up(db, confirm) {
    await db.collection('backtests').createIndex({ userId: 1, order: -1 });
    await confirm();
    await db.collection('backtests').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  },
};
