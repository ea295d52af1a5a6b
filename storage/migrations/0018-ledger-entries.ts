import type { Migration } from './migration.js';

/** Lines of exchanges' ledgers by user, kind and time. */
export const ledgerEntries: Migration = {
  id: '0018-ledger-entries',
  async up(db) {
    await db.collection('ledger_entries').createIndex({ userId: 1, kind: 1, at: 1 });
  },
};
