import type { Migration } from './migration.js';

/** Audit events by user, by kind and by time; counts of them by user and hour. */
export const audit: Migration = {
  id: '0016-audit',
  async up(db, confirm) {
    const events = db.collection('audit_events');
    await events.createIndex({ userId: 1, at: -1, _id: -1 });
    await confirm();
    await events.createIndex({ event: 1, at: -1, _id: -1 });
    await confirm();
    await events.createIndex({ at: -1, _id: -1 });
    await confirm();
    const counts = db.collection('audit_counts');
    await counts.createIndex({ userId: 1, hour: -1 });
    await confirm();
    await counts.createIndex({ hour: -1 });
  },
};
