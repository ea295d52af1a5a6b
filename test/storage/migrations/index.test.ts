import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Document } from 'mongodb';
import { openStorage } from '../../../storage/index.js';
import { migrations } from '../../../storage/migrations/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { projectRoot } from '../../support/harness/paths.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';

const program = fileURLToPath(new URL('./migrate-main.js', import.meta.url));
const limits = { timeoutMs: 20_000 };

describe('migrations', () => {
  it('are the numbered files of the folder, oldest first', async () => {
    const files = await readdir(join(projectRoot, 'storage/migrations'));
    const names = files.filter((name) => /^\d{4}-/.test(name)).map((name) => name.replace('.ts', ''));
    assert.deepEqual(
      migrations.map(({ id }) => id),
      names.sort(),
    );
  });
});

describe('migrate', () => {
  let url: string;
  let mongo: Mongo;

  beforeEach(async () => {
    url = await freshMongodbUrl();
    mongo = openMongo(url, limits);
  });
  afterEach(() => mongo.close());

  const applied = () => mongo.db.collection('migrations').find().toArray();
  const indexes = async (name: string) =>
    (await mongo.db.collection(name).indexes())
      .map(({ key, unique = false }) => `${Object.keys(key).join()}${unique ? ' unique' : ''}`)
      .sort();

  it('applies everything once when many processes start at the same time', async () => {
    const here = Array.from({ length: 4 }, () => openStorage(url, limits));
    const results = await Promise.allSettled([
      ...here.map((storage) => storage.migrate()),
      ...Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [program, url])),
    ]);
    await Promise.all(here.map((storage) => storage.close()));
    assert.deepEqual(
      results.filter(({ status }) => status === 'rejected'),
      [],
    );
    assert.deepEqual(
      (await applied()).map(({ _id }) => _id as unknown),
      migrations.map(({ id }) => id),
    );
    assert.deepEqual(await indexes('users'), ['_id', 'email unique']);
    assert.deepEqual(await indexes('sessions'), ['_id', 'expiresAt', 'userId,createdAt,_id']);
    assert.equal(await mongo.db.collection('leases').countDocuments({ holder: { $exists: true } }), 0);
  });

  it('takes users as verified since they were added, but those who signed up', async () => {
    const users = mongo.db.collection('users');
    const createdAt = new Date('2026-01-02');
    const stored = { plan: 'free', passwordHash: null, createdAt };
    await users.insertMany([
      { ...stored, email: 'a-before-sign-up@example.com' },
      { ...stored, email: 'b-added@example.com', emailVerified: true },
      { ...stored, email: 'c-signed-up@example.com', emailVerified: false },
      {
        ...stored,
        email: 'd-newer@example.com',
        emailVerified: true,
        emailVerifiedAt: new Date('2026-03-04'),
      },
    ]);
    const storage = openStorage(url, limits);
    await storage.migrate();
    await storage.close();
    const found = await users.find().sort({ email: 1 }).toArray();
    assert.deepEqual(
      found.map(({ emailVerified, emailVerifiedAt }) => [emailVerified, emailVerifiedAt] as unknown[]),
      [
        [true, createdAt],
        [true, createdAt],
        [false, null],
        [true, new Date('2026-03-04')],
      ],
    );
  });

  it('leaves each user the 100 newest sessions', async () => {
    const sessions = mongo.db.collection<Document & { _id: string }>('sessions');
    const expiresAt = new Date(Date.now() + 60_000);
    const of = (userId: string, count: number) =>
      Array.from({ length: count }, (_, n) => {
        return { _id: `${userId}-${n}`, userId, createdAt: new Date(n * 1_000), expiresAt };
      });
    await sessions.insertMany([...of('few', 100), ...of('many', 250)]);
    const storage = openStorage(url, limits);
    await storage.migrate();
    await storage.close();
    assert.equal(await sessions.countDocuments({ userId: 'few' }), 100);
    const left = await sessions.find({ userId: 'many' }).sort({ createdAt: 1 }).toArray();
    assert.deepEqual([left.length, left[0]._id], [100, 'many-150']);
  });

  it('changes nothing the second time', async () => {
    const storage = openStorage(url, limits);
    await storage.migrate();
    const first = await applied();
    await storage.migrate();
    assert.deepEqual(await applied(), first);
    await storage.close();
  });

  it('completes one that was cut off half way', async () => {
    await mongo.db.collection('users').createIndex({ email: 1 }, { unique: true });
    const storage = openStorage(url, limits);
    await storage.migrate();
    await storage.close();
    assert.deepEqual(await indexes('sessions'), ['_id', 'expiresAt', 'userId,createdAt,_id']);
  });
});
