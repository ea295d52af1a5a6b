import type { Migration } from './migration.js';

/** Margin accounts by user, by order (unique) and by what they wait for; archived orders by account and end. */
export const paperMargin: Migration = {
  id: '0011-paper-margin',
  async up(db, confirm) {
    const accounts = db.collection('paper_margin');
    await accounts.createIndex({ userId: 1 });
    await confirm();
    await accounts.createIndex(
      { 'orders.id': 1 },
      { unique: true, partialFilterExpression: { 'orders.id': { $gt: '' } } },
    );
    await confirm();
    await accounts.createIndex({ orderIds: 1 });
    await confirm();
    const levels = db.collection('paper_margin_levels');
    await levels.createIndex({ watch: 1, level: 1 });
    await confirm();
    await levels.createIndex({ set: 1 });
    await confirm();
    await levels.createIndex({ accountId: 1 });
    await confirm();
    await levels.createIndex({ userId: 1 });
    await confirm();
    const archive = db.collection('paper_margin_orders');
    await archive.createIndex({ userId: 1, account: 1, endedAt: 1 });
  },
};
