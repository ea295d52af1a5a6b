import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
