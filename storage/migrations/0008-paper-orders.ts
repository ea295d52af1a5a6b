import type { Migration } from './migration.js';

/** Paper orders by user, by order, by live user, by the price that reaches them and by due settlement; their numbers unique by user. */
export const paperOrders: Migration = {
  id: '0008-paper-orders',
  async up(db, confirm) {
    const orders = db.collection('paper_orders');
    await orders.createIndex(
      { userId: 1, seq: 1 },
      { unique: true, partialFilterExpression: { seq: { $gt: 0 } } },
    );
    await confirm();
    await orders.createIndex({ userId: 1 });
    await confirm();
    await orders.createIndex({ order: 1 });
    await confirm();
    await orders.createIndex({ liveOf: 1 });
    await confirm();
    await orders.createIndex({ watch: 1, level: 1 });
    await confirm();
    await orders.createIndex({ isDue: 1 });
  },
};
