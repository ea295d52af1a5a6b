import type { CreateIndexesOptions, IndexSpecification } from 'mongodb';
import { waitsForWork } from '../signals/due-condition.js';
import type { Migration } from './migration.js';

type Index = readonly [collection: string, keys: IndexSpecification, options?: CreateIndexesOptions];

const due = { partialFilterExpression: { dueAt: waitsForWork } };

/** Unique where there is a text. Equality with a text implies this condition, so that queries use the index. */
const uniqueTextIn = (field: string) => ({
  unique: true,
  partialFilterExpression: { [field]: { $gt: '' } },
});

const indexes: readonly Index[] = [
  ['channels', { partnerId: 1, name: 1 }, { unique: true }],
  ['subscriptions', { userId: 1, channelId: 1 }, { unique: true }],
  ['subscriptions', { channelId: 1, _id: 1 }],
  ['signals', { partnerId: 1, _id: 1 }],
  ['signals', { partnerId: 1, 'idempotency.key': 1 }, uniqueTextIn('idempotency.key')],
  ['signals', { partnerId: 1, dueAt: 1 }, due],
  ['signals', { dueAt: 1, partnerId: 1 }, due],
  ['executions', { signalId: 1, status: 1 }],
  ['executions', { userId: 1, _id: 1 }],
  ['executions', { partnerId: 1, slot: 1, dueAt: 1 }, due],
  ['executions', { dueAt: 1, partnerId: 1 }, due],
  ['executions', { 'orders.clientOrderId': 1 }, uniqueTextIn('orders.clientOrderId')],
  // Executions that a price concerns: those of the pair that have not ended.
  ['executions', { market: 1, pair: 1, endedAt: 1 }],
];

/** Channels by partner, subscriptions by user and channel, signals and executions by owner and by when they are due. */
export const signals: Migration = {
  id: '0007-signals',
  async up(db, confirm) {
    for (const [collection, keys, options] of indexes) {
      await confirm();
      await db.collection(collection).createIndex(keys, options);
    }
  },
};
