import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BSON, MongoError, type ClientSession, type Db, type Timestamp } from 'mongodb';
import { AppError } from '../../compute/model/errors.js';
import { makeFolder } from '../embedded/private-folder.js';
import { version } from '../process/version.js';
import type { CollectionName } from '../servers/open-collection.js';
import {
  collectionPath,
  manifestPath,
  newManifest,
  savedCollections,
  type BackupManifest,
  type SavedCollection,
} from './manifest.js';
import { holdsSealedKeys, sealedKeys } from './read-backup.js';

/** MongoDB keeps what a snapshot needs for five minutes, then it refuses to read on with this code. */
const snapshotTooOld = 239;
const batchDocuments = 500;

/** Asks whether processes of the service are alive; called where the server has no snapshots. Throws if there are. */
type RequireStopped = () => Promise<void>;

/**
 * Writes a backup of all that is stored into a folder that is new or empty. It is written beside it with the ending `.part` and
 * renamed when all of it is on disk. Streams; holds one batch of documents at a time. Throws `invalid_file` for a folder that cannot be
 * written, and what `requireStopped` throws on a server without snapshots.
 */
export async function createBackup(
  db: Db,
  folder: string,
  requireStopped: RequireStopped,
): Promise<BackupManifest> {
  const target = resolve(folder);
  await requireUnused(target);
  // Two backups at once into one folder do not meet before the last moment.
  const part = join(dirname(target), `${basename(target)}.${randomUUID()}.part`);
  try {
    await makeFolder(part);
    const manifest = await writeBackup(db, part, requireStopped);
    await rmdir(target).catch(unlessMissing);
    await rename(part, target);
    await sync(dirname(target));
    return manifest;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === undefined) throw error;
    throw new AppError('invalid_file', `"${folder}" cannot be written: ${message}`, { cause: error });
  }
}

const unlessMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

async function requireUnused(folder: string): Promise<void> {
  const inside = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new AppError('invalid_file', `"${folder}" cannot be written: ${error.message}`);
  });
  if (inside.length > 0)
    throw new AppError(
      'invalid_file',
      `"${folder}" is not empty; name a folder that is new, one for each backup`,
    );
}

async function writeBackup(db: Db, part: string, requireStopped: RequireStopped): Promise<BackupManifest> {
  const startedAt = new Date();
  const snapshot = await openSnapshot(db);
  if (snapshot === null) await requireStopped();
  const sealingKeys = new Set<string>();
  const saved: SavedCollection[] = [];
  let consistency: BackupManifest['consistency'] = snapshot === null ? 'stopped' : 'snapshot';
  try {
    const applied = await db
      .collection<{ _id: string }>('migrations')
      .find({}, sessionOf(snapshot))
      .toArray();
    for (const name of savedCollections) {
      const save = (session: ClientSession | null) => saveCollection(db, name, part, session, sealingKeys);
      const saving = save(snapshot).catch((error: unknown) => {
        if (!(error instanceof MongoError && error.code === snapshotTooOld)) throw error;
        if (name !== 'candles') throw tooLong(name);
        // The series that counts them is written: read later, candles hold at least what it promises.
        consistency = 'candles-later';
        return save(null);
      });
      saved.push(await saving);
    }
    const manifest = newManifest({
      version,
      startedAt: startedAt.toISOString(),
      ms: Date.now() - startedAt.getTime(),
      consistency,
      clusterTime: clusterTimeOf(snapshot),
      migrations: applied.map(({ _id }) => _id).sort(),
      sealingKeys: [...sealingKeys].sort(),
      collections: saved,
    });
    await writeFile(manifestPath(part), `${JSON.stringify(manifest, null, 2)}\n`, {
      flush: true,
      mode: 0o600,
    });
    await sync(part);
    return manifest;
  } finally {
    await snapshot?.endSession();
  }
}

const tooLong = (name: string) =>
  new AppError(
    'mongodb_unavailable',
    `"${name}" could not be read at the moment of the backup: MongoDB keeps that for minSnapshotHistoryWindowInSeconds (300 unless set); raise it`,
  );

/** One collection at the cluster time of the session, sorted by id. */
async function saveCollection(
  db: Db,
  name: CollectionName,
  part: string,
  session: ClientSession | null,
  sealingKeys: Set<string>,
): Promise<SavedCollection> {
  const found = db.collection(name).find({}, { ...sessionOf(session), raw: true, batchSize: batchDocuments });
  const hash = createHash('sha256');
  let documents = 0;
  async function* bytes() {
    for await (const raw of found.sort({ _id: 1 }) as unknown as AsyncIterable<Buffer>) {
      hash.update(raw);
      documents++;
      if (holdsSealedKeys.has(name))
        for (const { sealed } of sealedKeys(name, BSON.deserialize(raw))) sealingKeys.add(sealed.keyId);
      yield raw;
    }
  }
  const file = createWriteStream(collectionPath(part, name), { flush: true, mode: 0o600 });
  await pipeline(Readable.from(bytes()), createGzip({ level: 1 }), file);
  return { name, documents, sha256: hash.digest('hex') };
}

const sessionOf = (session: ClientSession | null) => (session === null ? {} : { session });

/** A session whose reads all see one moment; null where the server cannot do that. */
async function openSnapshot(db: Db): Promise<ClientSession | null> {
  const session = db.client.startSession({ snapshot: true });
  try {
    await db.collection('migrations').findOne({}, { session });
    return session;
  } catch (error) {
    await session.endSession();
    // A single mongod refuses the level of reading; all else is a failure.
    if (error instanceof MongoError && /snapshot/i.test(error.message)) return null;
    throw error;
  }
}

function clusterTimeOf(session: ClientSession | null): string | null {
  const time = (session as { snapshotTime?: Timestamp } | null)?.snapshotTime;
  return time === undefined ? null : `${time.getHighBitsUnsigned()}.${time.getLowBitsUnsigned()}`;
}

/** Has the names in a folder reach the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
