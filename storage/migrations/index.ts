import type { Db } from 'mongodb';
import type { Leases } from '../servers/leases.js';
import type { Migration } from './migration.js';
import { initial } from './0001-initial.js';
import { openCollection } from '../servers/open-collection.js';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [initial];

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
