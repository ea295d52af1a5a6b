import type { Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import type { Leases } from '../servers/leases.js';
import type { Migration } from './migration.js';
import { initial } from './0001-initial.js';
import { openCollection } from '../servers/open-collection.js';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [initial];

/** Stands among the migrations while a backup is written into the database, so that no release starts on half of it. */
export const restoringId = 'restoring-a-backup';

interface AppliedMigration {
  _id: string;
  appliedAt: Date;
  /** Whether releases that do not know it can serve on its result. */
  isCompatible?: boolean;
}

/**
 * Applies each missing migration once, even if several processes start at the same time. Throws `newer_database` for a database
 * that a later release has changed in a way that this one cannot serve.
 */
export async function migrate(db: Db, leases: Leases): Promise<void> {
  const { missing, refused } = await migrationState(db);
  if (refused.length > 0) throw refusal(refused);
  if (missing.length === 0) return;
  await leases.hold('migrations', async ({ confirm }) => runMigrations(db, confirm));
}

/** Runs the migrations that are not marked as applied, in order. `confirm` throws when another process migrates by now. */
export async function runMigrations(db: Db, confirm: () => Promise<void>): Promise<void> {
  const applied = openCollection<AppliedMigration>(db, 'migrations');
  for (const migration of (await migrationState(db)).missing) {
    await confirm();
    await migration.up(db, confirm);
    await confirm();
    const { id: _id, isCompatible } = migration;
    await applied.insertOne({ _id, appliedAt: new Date(), isCompatible });
  }
}

/** The migrations that are to be run, and the ids of stored ones that this release neither knows nor can ignore. */
export async function migrationState(db: Db): Promise<{ missing: Migration[]; refused: string[] }> {
  const stored = await openCollection<AppliedMigration>(db, 'migrations').find().toArray();
  const ids = new Set(stored.map(({ _id }) => _id));
  const known = new Set(migrations.map(({ id }) => id));
  return {
    missing: migrations.filter(({ id }) => !ids.has(id)),
    refused: stored.filter(({ _id, isCompatible }) => !known.has(_id) && !isCompatible).map(({ _id }) => _id),
  };
}

const refusal = (ids: readonly string[]) =>
  new AppError(
    'newer_database',
    ids.includes(restoringId)
      ? 'a backup is being restored into this database, or that was cut off: wait for it, or run "backup restore" again with --replace yes'
      : `a later release has changed this database ("${ids.join('", "')}"): start that release, or restore a backup of this one`,
  );
