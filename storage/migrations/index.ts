import type { Db } from 'mongodb';
import type { Leases } from '../servers/leases.js';
import type { Migration } from './migration.js';
import { initialIndexes } from './0001-initial-indexes.js';
import { accounts } from './0002-accounts.js';
import { identitiesAndPartners } from './0003-identities-and-partners.js';
import { verifiedEmails } from './0004-verified-emails.js';
import { sessionLimit } from './0005-session-limit.js';
import { backtests } from './0006-backtests.js';
import { signals } from './0007-signals.js';
import { paperOrders } from './0008-paper-orders.js';
import { openExecutions } from './0009-open-executions.js';
import { ledger } from './0010-ledger.js';
import { paperMargin } from './0011-paper-margin.js';
import { reconciliation } from './0012-reconciliation.js';
import { personalTokens } from './0013-personal-tokens.js';
import { oauth } from './0014-oauth.js';
import { mails } from './0015-mails.js';
import { audit } from './0016-audit.js';
import { conversations } from './0017-conversations.js';
import { ledgerEntries } from './0018-ledger-entries.js';
import { openCollection } from '../servers/open-collection.js';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  initialIndexes,
  accounts,
  identitiesAndPartners,
  verifiedEmails,
  sessionLimit,
  backtests,
  signals,
  paperOrders,
  openExecutions,
  ledger,
  paperMargin,
  reconciliation,
  personalTokens,
  oauth,
  mails,
  audit,
  conversations,
  ledgerEntries,
];

/** Applies each missing migration once, even if several processes start at the same time. */
export async function migrate(db: Db, leases: Leases): Promise<void> {
  const applied = openCollection<{ _id: string; appliedAt: Date }>(db, 'migrations');
  const missing = async () => {
    const known = new Set((await applied.find().toArray()).map(({ _id }) => _id));
    return migrations.filter(({ id }) => !known.has(id));
  };
  if ((await missing()).length === 0) return;
  await leases.hold('migrations', async ({ confirm }) => {
    for (const migration of await missing()) {
      await confirm();
      await migration.up(db, confirm);
      await confirm();
      await applied.insertOne({ _id: migration.id, appliedAt: new Date() });
    }
  });
}
