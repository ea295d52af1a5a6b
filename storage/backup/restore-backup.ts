import type { Collection, Db, Document } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { migrations, restoringId, runMigrations } from '../migrations/index.js';
import { openCollection, type CollectionName } from '../servers/open-collection.js';
import { HaltRepository } from '../signals/halts.js';
import type { BackupManifest } from './manifest.js';
import { readCollection, toDocument } from './read-backup.js';

const batchBytes = 8 * 1024 * 1024;
const batchDocuments = 1_000;

/** Throws `newer_database` if the backup was made by a release with migrations that this one does not know. */
export function requireKnownMigrations({ migrations: applied, version }: BackupManifest): void {
  const known = new Set(migrations.map(({ id }) => id));
  const unknown = applied.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new AppError(
      'newer_database',
      `this release does not know "${unknown.join('", "')}" of the backup, which release ${version} made: restore it with that release or a later one`,
    );
}

/** Throws `already_exists`, with what is there, unless the database is empty. */
export async function requireEmpty(db: Db): Promise<void> {
  const found: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (
      !name.startsWith('system.') &&
      (await db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null
    )
      found.push(name);
  if (found.length > 0)
    throw new AppError(
      'already_exists',
      `the database "${db.databaseName}" holds data (${found.sort().join(', ')}); restore into an empty one, or add --replace yes, which deletes them`,
    );
}

/**
 * Puts a verified backup in place of all that a database holds, and halts new entries: exchanges are ahead of the backup. Until it
 * is whole no release starts on that database; after a failure run it again with --replace yes.
 */
export async function restoreBackup(db: Db, folder: string, { collections }: BackupManifest): Promise<void> {
  const marks = openCollection<{ _id: string; appliedAt: Date }>(db, 'migrations');
  await marks.updateOne({ _id: restoringId }, { $set: { appliedAt: new Date() } }, { upsert: true });
  await marks.deleteMany({ _id: { $ne: restoringId } });
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    if (name !== 'migrations' && !name.startsWith('system.')) await db.collection(name).drop();
  for (const saved of collections)
    if (saved.name !== 'migrations') await write(db, saved.name, readCollection(folder, saved));
  await runMigrations(db, async () => undefined);
  await new HaltRepository(db).add({ exchange: null, partnerId: null });
  await marks.deleteOne({ _id: restoringId });
}

async function write(db: Db, name: CollectionName, documents: AsyncIterable<Buffer>): Promise<void> {
  const collection = openCollection<Document>(db, name);
  let batch: Document[] = [];
  let bytes = 0;
  for await (const raw of documents) {
    batch.push(toDocument(raw));
    bytes += raw.length;
    if (bytes < batchBytes && batch.length < batchDocuments) continue;
    await insert(collection, batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) await insert(collection, batch);
}

async function insert(collection: Collection<Document>, batch: Document[]): Promise<void> {
  await collection.insertMany(batch, { ordered: false });
}
