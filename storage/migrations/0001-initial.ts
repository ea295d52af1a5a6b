import type { CreateIndexesOptions, IndexSpecification } from 'mongodb';
import { waitsForWork } from '../signals/due-condition.js';
import type { Migration } from './migration.js';

type Index = readonly [keys: IndexSpecification, options?: CreateIndexesOptions];

const unique = { unique: true };
/** The time in the field is when the document goes. */
const expires: Index = [{ expiresAt: 1 }, { expireAfterSeconds: 0 }];
const whereWaiting = (field: string) => ({ partialFilterExpression: { [field]: waitsForWork } });
/** Unique where there is a text. Equality with a text implies this condition, so that queries use the index. */
const uniqueText = (field: string) => ({ ...unique, partialFilterExpression: { [field]: { $gt: '' } } });

/** The indexes of each collection; `open-collection.ts` says how long its writes last. */
const indexes: Readonly<Record<string, readonly Index[]>> = {
  accounts: [[{ userId: 1 }], [{ exchange: 1 }], [{ dueAt: 1 }]],
  audit_counts: [[{ userId: 1, hour: -1 }], [{ hour: -1 }]],
  audit_events: [[{ userId: 1, at: -1, _id: -1 }], [{ event: 1, at: -1, _id: -1 }], [{ at: -1, _id: -1 }]],
  backtests: [
    [{ userId: 1, kind: 1, order: -1 }],
    expires,
    [{ 'share.token': 1 }, uniqueText('share.token')],
  ],
  channels: [[{ partnerId: 1, name: 1 }, unique]],
  connections: [[{ userId: 1, exchange: 1 }, unique], [{ venueAccount: 1 }]],
  conversations: [[{ userId: 1, order: -1 }], expires],
  equity: [[{ userId: 1, day: 1 }]],
  executions: [
    [{ signalId: 1, status: 1 }],
    [{ userId: 1, _id: 1 }],
    [{ partnerId: 1, slot: 1, dueAt: 1 }, whereWaiting('dueAt')],
    [{ dueAt: 1, partnerId: 1 }, whereWaiting('dueAt')],
    [{ 'orders.clientOrderId': 1 }, uniqueText('orders.clientOrderId')],
    // Those that go on: together for the price watch, by subscription for its limits, by account for its comparison.
    [{ endedAt: 1, subscriptionId: 1 }],
    [{ endedAt: 1, exchange: 1, userId: 1 }],
    [{ bookAt: 1 }, whereWaiting('bookAt')],
  ],
  foreign_orders: [[{ userId: 1 }], [{ seenAt: 1 }, { expireAfterSeconds: 7_200 }]],
  identities: [[{ userId: 1 }]],
  ledger_entries: [[{ userId: 1, kind: 1, at: 1 }]],
  mails: [[{ dueAt: 1 }], [{ linkHash: 1 }], [{ userId: 1 }], expires],
  oauth_clients: [[{ lastUsedAt: 1, createdAt: 1 }]],
  oauth_grants: [[{ keys: 1 }], [{ userId: 1, createdAt: -1 }], expires],
  oauth_refresh_claims: [[{ grantId: 1, revision: 1 }], expires],
  oauth_transactions: [expires],
  paper_margin: [[{ userId: 1 }], [{ 'orders.id': 1 }, uniqueText('orders.id')], [{ orderIds: 1 }]],
  paper_margin_levels: [[{ watch: 1, level: 1 }], [{ set: 1 }], [{ accountId: 1 }], [{ userId: 1 }]],
  paper_margin_orders: [[{ userId: 1, account: 1, endedAt: 1 }]],
  paper_orders: [
    [
      { userId: 1, seq: 1 },
      { ...unique, partialFilterExpression: { seq: { $gt: 0 } } },
    ],
    [{ userId: 1 }],
    [{ order: 1 }],
    [{ liveOf: 1 }],
    [{ watch: 1, level: 1 }],
    [{ isDue: 1 }],
  ],
  partners: [
    [{ name: 1 }, unique],
    [{ 'keys.key': 1 }],
    [{ 'members.userId': 1 }, uniqueText('members.userId')],
  ],
  personal_tokens: [[{ userId: 1, place: 1 }, unique], [{ userId: 1, name: 1 }, unique], expires],
  sessions: [[{ userId: 1, createdAt: -1, _id: -1 }], expires],
  signal_outcomes: [[{ channelId: 1, closedAt: 1 }]],
  signals: [
    [{ partnerId: 1, _id: 1 }],
    [{ partnerId: 1, 'idempotency.key': 1 }, uniqueText('idempotency.key')],
    [{ partnerId: 1, dueAt: 1 }, whereWaiting('dueAt')],
    [{ dueAt: 1, partnerId: 1 }, whereWaiting('dueAt')],
  ],
  strategies: [[{ userId: 1, place: 1 }, unique], [{ userId: 1, order: -1 }], [{ sharedHashes: 1 }]],
  subscriptions: [
    [{ userId: 1, channelId: 1 }, unique],
    [{ channelId: 1, _id: 1 }],
    // Those that the service has paused until their account can be read.
    [{ exchange: 1 }, { partialFilterExpression: { goodReads: { $gte: 0 } } }],
  ],
  token_use: [[{ userId: 1 }, { sparse: true }], expires],
  trades: [[{ userId: 1, closedAt: 1, _id: 1 }], [{ signalId: 1 }]],
  users: [[{ email: 1 }, unique]],
};

export const initial: Migration = {
  id: '0001-initial',
  isCompatible: false,
  async up(db, confirm) {
    for (const [collection, ofCollection] of Object.entries(indexes))
      for (const [keys, options] of ofCollection) {
        await confirm();
        await db.collection(collection).createIndex(keys, options);
      }
  },
};
