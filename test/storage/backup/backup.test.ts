import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  Binary,
  BSON,
  Decimal128,
  Double,
  Int32,
  Long,
  MongoServerError,
  ObjectId,
  Timestamp,
  type Document,
} from 'mongodb';
import { createBackup } from '../../../storage/backup/create-backup.js';
import { firstDifference } from '../../../storage/backup/first-difference.js';
import {
  listBackups,
  manifestPath,
  readManifest,
  type BackupManifest,
} from '../../../storage/backup/manifest.js';
import { verifyBackup } from '../../../storage/backup/read-backup.js';
import {
  requireEmpty,
  requireKnownMigrations,
  restoreBackup,
} from '../../../storage/backup/restore-backup.js';
import { openStorage } from '../../../storage/index.js';
import { restoringId } from '../../../storage/migrations/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { userWithData } from '../../support/servers/user-data.js';

const limits = { timeoutMs: 20_000 };
const stopped = async () => assert.fail('this server has snapshots');

/** Values whose type JavaScript does not keep by itself, and names that it puts in another order. */
const odd: Document = {
  _id: 'odd',
  whole: new Double(3),
  int: new Int32(3),
  long: Long.fromString('9007199254740993'),
  negativeZero: new Double(-0),
  decimal: Decimal128.fromString('0.10000000000000000000000000000001'),
  binary: new Binary(Buffer.from([0, 255]), 128),
  at: new Date(-1),
  id: new ObjectId(),
  time: new Timestamp({ t: 5, i: 7 }),
  nested: { b: [null, { '2': 1, '1': 2 }], a: '' },
  text: 'zwölf 🜚 \u0000',
};

describe('a backup', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const folder = temporaryFolder();
  let url: string;
  let other: Mongo;

  before(async () => {
    await userWithData(context.storage);
    await context.db
      .collection<Document & { _id: string }>('equity')
      .insertOne(odd as Document & { _id: string });
  });
  beforeEach(async () => {
    url = await freshMongodbUrl();
    other = openMongo(url, limits);
  });
  afterEach(() => other.close());

  const create = async () => {
    const target = join(folder.path, 'one');
    return { target, manifest: await createBackup(context.db, target, stopped) };
  };
  const file = (target: string, name: string) => join(target, `${name}.bson.gz`);
  const start = async () => {
    const storage = openStorage(url, limits);
    try {
      await storage.migrate();
    } finally {
      await storage.close();
    }
  };

  it('holds every document to the bit, with those of the types that JavaScript mixes up', async () => {
    const { target, manifest } = await create();
    assert.deepEqual(await verifyBackup(target), manifest);
    await restoreBackup(other.db, target, manifest);
    assert.equal(await firstDifference(other.db, target, manifest), null);
    const typed = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const;
    const [before, after] = await Promise.all(
      [context.db, other.db].map((db) => db.collection('equity').findOne({ _id: 'odd' as never }, typed)),
    );
    assert.deepEqual(BSON.serialize(after!), BSON.serialize(before!));
    assert.equal(await other.db.collection('sessions').countDocuments(), 0);
    const indexes = async (of: typeof other.db) =>
      JSON.stringify(await of.collection('executions').indexes());
    assert.equal(await indexes(other.db), await indexes(context.db));
  });

  it('says in which document a restored database differs', async () => {
    const { target, manifest } = await create();
    await restoreBackup(other.db, target, manifest);
    await other.db.collection('equity').updateOne({ _id: 'odd' as never }, { $set: { whole: new Int32(3) } });
    assert.equal(await firstDifference(other.db, target, manifest), '"odd" of equity differs');
    await other.db.collection('equity').deleteOne({ _id: 'odd' as never });
    assert.match((await firstDifference(other.db, target, manifest))!, /of equity differs$/);
    await other.db.collection('users').insertOne({ _id: new ObjectId('f'.repeat(24)) });
    await other.db.collection<Document>('equity').insertOne(odd);
    assert.equal(
      await firstDifference(other.db, target, manifest),
      'users has documents that are not in the backup',
    );
  });

  it('is not there until it is whole, and never written over another', async () => {
    const { target } = await create();
    await assert.rejects(create(), {
      code: 'invalid_file',
      message: /is not empty; name a folder that is new/,
    });
    await rename(target, `${target}.part`);
    assert.deepEqual(await listBackups(folder.path), []);
    await assert.rejects(readManifest(target), { code: 'invalid_file', message: /there is no backup in/ });
    const { manifest } = await create();
    assert.deepEqual(await listBackups(folder.path), [{ name: 'one', manifest }]);
    assert.equal((await stat(file(target, 'users'))).mode & 0o077, 0);
    await assert.rejects(readManifest(folder.path), {
      code: 'invalid_file',
      message: /in it are "[^"]+one"$/,
    });
  });

  it('is refused when a file is cut off, changed, missing, or longer', async () => {
    const { target } = await create();
    const path = file(target, 'users');
    const whole = await readFile(path);
    const broken = async (change: () => Promise<unknown>, why: RegExp) => {
      await change();
      await assert.rejects(verifyBackup(target), ({ code, message }: { code: string; message: string }) => {
        assert.equal(code, 'invalid_file');
        assert.match(message, why);
        return true;
      });
      await writeFile(path, whole);
    };
    const text = gunzipSync(whole);
    await broken(() => truncate(path, whole.length - 12), /users\.bson\.gz" is broken: /);
    await broken(() => writeFile(path, gzipSync(text.subarray(0, -3))), /it ends within a document/);
    await broken(() => writeFile(path, gzipSync(Buffer.alloc(0))), /it has 0 documents, expected 1/);
    await broken(
      () => writeFile(path, gzipSync(Buffer.concat([text, text]))),
      /it has 2 documents, expected 1/,
    );
    const changed = Buffer.from(text);
    changed[text.indexOf('example.com')] ^= 1;
    await broken(() => writeFile(path, gzipSync(changed)), /its SHA-256 is not that of the manifest/);
    await broken(
      () => writeFile(path, gzipSync(Buffer.alloc(8, 0xff))),
      /document 1 has a length of -1 bytes/,
    );
    await broken(() => rename(path, `${path}.gone`), /users\.bson\.gz" is broken: .*ENOENT|no such file/);
    await broken(() => appendFile(manifestPath(target), '}'), /manifest\.json" cannot be used/);
  });

  it('of a release with migrations that this one does not know is refused', async () => {
    const { manifest } = await create();
    const later: BackupManifest = {
      ...manifest,
      version: '9.0.0',
      migrations: [...manifest.migrations, '0099-later'],
    };
    assert.throws(() => requireKnownMigrations(later), {
      code: 'newer_database',
      message: /does not know "0099-later" of the backup, which release 9\.0\.0 made/,
    });
    requireKnownMigrations(manifest);
  });

  it('is restored into an empty database alone, and half a restore starts no service', async () => {
    const { target, manifest } = await create();
    await requireEmpty(other.db);
    await rename(file(target, 'users'), file(target, 'gone'));
    await assert.rejects(restoreBackup(other.db, target, manifest));
    await assert.rejects(start(), { code: 'newer_database', message: /a backup is being restored/ });
    await assert.rejects(requireEmpty(other.db), {
      code: 'already_exists',
      message: /holds data \(.*equity.*\)/,
    });
    await rename(file(target, 'gone'), file(target, 'users'));
    await restoreBackup(other.db, target, manifest);
    await start();
    assert.equal(await other.db.collection('migrations').countDocuments({ _id: restoringId as never }), 0);
  });

  // MongoDB 7.0: error 239, SnapshotTooOld, once minSnapshotHistoryWindowInSeconds is over.
  const forgetful = (forgotten: string) =>
    new Proxy(context.db, {
      get: (db, name) =>
        name !== 'collection'
          ? (Reflect.get(db, name) as unknown)
          : (collection: string) =>
              new Proxy(db.collection(collection), {
                get: (of, method) =>
                  method === 'find'
                    ? (filter: object, options: { session?: unknown }) => {
                        if (collection === forgotten && options.session) return tooOld;
                        return of.find(filter, options as object);
                      }
                    : (Reflect.get(of, method) as unknown),
              }),
    });
  const tooOld = {
    sort: () => ({
      [Symbol.asyncIterator]: () => ({
        next: () =>
          Promise.reject(
            new MongoServerError({ message: 'Read timestamp is older than the oldest', code: 239 }),
          ),
      }),
    }),
  };

  it('reads candles later where the server has forgotten the moment, and says so', async () => {
    const target = join(folder.path, 'later');
    const { consistency } = await createBackup(forgetful('candles'), target, stopped);
    const manifest = await verifyBackup(target);
    assert.deepEqual([consistency, manifest.consistency], ['candles-later', 'candles-later']);
    await restoreBackup(other.db, target, manifest);
    assert.equal(await firstDifference(other.db, target, manifest), null);
    await assert.rejects(createBackup(forgetful('users'), join(folder.path, 'none'), stopped), {
      code: 'mongodb_unavailable',
      message: /"users" could not be read .* minSnapshotHistoryWindowInSeconds/,
    });
  });

  it('that cannot be written, or meets another one, says so and leaves nothing', async () => {
    await assert.rejects(createBackup(context.db, '/proc/backups/one', stopped), {
      code: 'invalid_file',
      message: /"\/proc\/backups\/one" cannot be written: ENOENT/,
    });
    const target = join(folder.path, 'twice');
    const both = [1, 2].map(() => createBackup(context.db, target, stopped));
    const ended = (await Promise.allSettled(both)).map(({ status }) => status);
    assert.deepEqual(ended.sort(), ['fulfilled', 'rejected']);
    assert.ok(await verifyBackup(target));
    const left = (await readdir(folder.path)).filter((name) => name.endsWith('.part'));
    assert.deepEqual(left, []);
  });

  it('of a server without snapshots is made only while no process is alive', async () => {
    const noSnapshots = new Proxy(context.db, {
      get: (db, name) =>
        name === 'client'
          ? { startSession: () => ({ endSession: async () => undefined, inTransaction: () => false }) }
          : (Reflect.get(db, name) as unknown),
    });
    await mkdir(join(folder.path, 'two'));
    const refused = Object.assign(new Error('a process runs'), { code: 'service_running' });
    await assert.rejects(
      createBackup(noSnapshots, join(folder.path, 'two'), async () => Promise.reject(refused)),
    );
  });
});

describe('a database that a later release has changed', () => {
  const context = temporaryStorage();
  const redis = temporaryRedis();

  it('is changed by a breaking migration only while no process of another release is alive', async () => {
    const marks = context.db.collection<{ _id: string; isCompatible?: boolean }>('migrations');
    await marks.insertOne({ _id: '0097-compatible', isCompatible: true });
    await marks.deleteOne({ _id: '0001-initial' });
    const node = { role: 'signals', host: 'h', pid: 7, version: '0.0.9', queues: [], load: {} };
    await redis.redis.hset('tidemark:nodes', 'old', `${Date.now()} ${JSON.stringify(node)}`);
    await assert.rejects(context.storage.migrate(redis.redis), {
      code: 'service_running',
      message: /"0001-initial" cannot run beside another release; .*signals h:7 of 0\.0\.9/,
    });
    await redis.redis.del('tidemark:nodes');
    await context.storage.migrate(redis.redis);
    assert.equal(await marks.countDocuments({ _id: '0001-initial' }), 1);
  });

  it('starts no older release, unless the change is marked as compatible', async () => {
    const marks = context.db.collection<{ _id: string; isCompatible?: boolean }>('migrations');
    await marks.insertOne({ _id: '0098-compatible', isCompatible: true });
    await context.storage.migrate();
    await marks.insertOne({ _id: '0099-later' });
    await assert.rejects(context.storage.migrate(), {
      code: 'newer_database',
      message: /a later release has changed this database \("0099-later"\): start that release/,
    });
  });
});
