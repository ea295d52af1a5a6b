import { waitsForWork } from '../signals/due-condition.js';
import type { Migration } from './migration.js';

/** Trades by user and time and by signal; executions that are to be booked; equity by user and day. */
export const ledger: Migration = {
  id: '0010-ledger',
  async up(db, confirm) {
    await db.collection('trades').createIndex({ userId: 1, closedAt: 1, _id: 1 });
    await confirm();
    await db.collection('trades').createIndex({ signalId: 1 });
    await confirm();
    await db
      .collection('executions')
      .createIndex({ bookAt: 1 }, { partialFilterExpression: { bookAt: waitsForWork } });
    await confirm();
    await db.collection('signal_outcomes').createIndex({ channelId: 1, closedAt: 1 });
    await confirm();
    await db.collection('equity').createIndex({ userId: 1, day: 1 });
  },
};
