import type { Redis } from 'ioredis';
import type { Db } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { listNodes } from '../cluster/nodes.js';
import { version } from '../process/version.js';
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
 * that a later release has changed in a way that this one cannot serve, and `service_running` where a migration would do that to
 * processes that `redis` knows to be alive.
 */
export async function migrate(db: Db, leases: Leases, redis?: Redis): Promise<void> {
  const { missing, refused, isNew } = await migrationState(db);
  if (refused.length > 0) throw refusal(refused);
  if (missing.length === 0) return;
  const breaking = missing.find(({ isCompatible }) => !isCompatible);
  if (redis && breaking && !isNew) await requireOneRelease(redis, breaking.id);
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
export async function migrationState(
  db: Db,
): Promise<{ missing: Migration[]; refused: string[]; isNew: boolean }> {
  const stored = await openCollection<AppliedMigration>(db, 'migrations').find().toArray();
  const ids = new Set(stored.map(({ _id }) => _id));
  const known = new Set(migrations.map(({ id }) => id));
  return {
    isNew: stored.length === 0,
    missing: migrations.filter(({ id }) => !ids.has(id)),
    refused: stored.filter(({ _id, isCompatible }) => !known.has(_id) && !isCompatible).map(({ _id }) => _id),
  };
}

async function requireOneRelease(redis: Redis, migration: string): Promise<void> {
  const others = (await listNodes(redis)).filter((node) => !node.lost && node.version !== version);
  if (others.length === 0) return;
  const names = others
    .map(({ role, host, pid, version }) => `${role} ${host}:${pid} of ${version}`)
    .join(', ');
  throw new AppError(
    'service_running',
    `the migration "${migration}" cannot run beside another release; stop its processes first (running: ${names})`,
  );
}

const refusal = (ids: readonly string[]) =>
  new AppError(
    'newer_database',
    ids.includes(restoringId)
      ? 'a backup is being restored into this database, or that was cut off: wait for it, or run "backup restore" again with --replace yes'
      : `a later release has changed this database ("${ids.join('", "')}"): start that release, or restore a backup of this one`,
  );
