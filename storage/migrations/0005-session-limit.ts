import type { Collection } from 'mongodb';
import type { Migration } from './migration.js';

/** The limit when this migration was written. */
const mostSessions = 100;

interface SessionDocument {
  _id: string;
  userId: string;
  createdAt: Date;
}

/** Sessions by user and age, in place of by user alone; users with more than 100 sessions lose the oldest. */
export const sessionLimit: Migration = {
  id: '0005-session-limit',
  async up(db, confirm) {
    const sessions = db.collection<SessionDocument>('sessions');
    await sessions.createIndex({ userId: 1, createdAt: -1, _id: -1 });
    await confirm();
    const indexes = await sessions.indexes();
    if (indexes.some(({ name }) => name === 'userId_1')) await sessions.dropIndex('userId_1');
    const crowded = [
      { $group: { _id: '$userId', count: { $sum: 1 } } },
      { $match: { count: { $gt: mostSessions } } },
    ];
    for await (const { _id: userId } of sessions.aggregate<{ _id: string }>(crowded)) {
      await confirm();
      await endOldest(sessions, userId);
    }
  },
};

async function endOldest(sessions: Collection<SessionDocument>, userId: string): Promise<void> {
  const newest = sessions.find({ userId }).sort({ createdAt: -1, _id: -1 });
  const [last] = await newest
    .skip(mostSessions - 1)
    .limit(1)
    .toArray();
  if (last) await sessions.deleteMany({ userId, createdAt: { $lt: last.createdAt } });
}
