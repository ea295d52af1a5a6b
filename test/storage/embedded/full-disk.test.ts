import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServers } from '../../../storage/embedded/open-servers.js';
import { readRunFile } from '../../../storage/embedded/run-file.js';
import type { Servers } from '../../../storage/embedded/servers.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { ask, RoleChild } from '../../support/process/role-child.js';
import { skip } from '../../support/harness/skip.js';
import { until } from '../../support/process/until.js';
import { serversDir } from '../../support/servers/servers.js';

const megabyte = 2 ** 20;
const account = { email: 'ada@example.com', password: 'a long password' };

describe('a disk that fills while the service runs', function () {
  this.timeout(180_000);
  let folder: string;
  let isMounted = false;
  let servers: Servers;
  let mongo: Mongo;
  let gateway: RoleChild;
  const reports: string[] = [];

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=480m', 'tmpfs', folder], { stdio: 'ignore' });
      isMounted = true;
    } catch {
      return skip(this, 'no disk of its own: it needs root, and permission to mount');
    }
    const DATA_DIR = join(folder, 'data');
    const settings = { REDIS_URL: '', MONGODB_URL: '', DATA_DIR, SERVERS_DIR: serversDir };
    servers = await openServers({
      ...{
        settings,
        holder: 'service',
        name: 'npm test',
        running: 'refuse',
        report: (line) => void reports.push(line),
      },
    });
    const [database] = (await readRunFile(DATA_DIR))!.servers.filter(({ kind }) => kind === 'mongodb');
    if (!database.program.startsWith('SecantusDB'))
      return skip(this, 'mongod handles a full disk in its own way');
    mongo = openMongo(servers.mongodbUrl, { timeoutMs: 5_000 });
    const env = { DATA_DIR, REDIS_URL: servers.redisUrl, MONGODB_URL: servers.mongodbUrl };
    gateway = await RoleChild.start('gateway', env);
    assert.equal((await post('/backend/signup', account)).status, 200);
  });
  after(async () => {
    await gateway?.kill();
    await mongo?.close();
    await servers?.close();
    if (isMounted) execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });

  const post = (path: string, body?: object, token?: string) => ask(gateway.facts.url, path, body, token);
  const missing = async () => ((await post('/readyz')).json as { missing: string[] }).missing;
  const filler = () => join(folder, 'filler');

  /** Fills the disk until so many bytes are free. */
  async function fill(freeBytes: number): Promise<void> {
    const file = await open(filler(), 'a');
    const zeros = Buffer.alloc(megabyte);
    for (;;) {
      const { bavail, bsize } = await statfs(folder);
      const size = Math.min(megabyte, bavail * bsize - freeBytes);
      if (size <= 0) break;
      await file.write(zeros, 0, size);
    }
    await file.close();
  }

  it('refuses writes with that reason, names it, and answers what is read', async () => {
    const { payload } = await post('/backend/login', account);
    const token = payload.token as string;
    assert.equal((await post('/backend/activepositions', undefined, token)).status, 200);
    await fill(32 * megabyte);
    const refused = await post('/backend/signup', { ...account, email: 'eve@example.com' });
    assert.equal(refused.status, 503);
    assert.match(
      refused.payload.message,
      /^the disk of MongoDB is full: nothing is stored until there is room/,
    );
    await until('/readyz to tell', async () => (await missing()).includes('disk'));
    assert.deepEqual(await missing(), ['disk']);
    assert.equal((await post('/backend/activepositions', undefined, token)).status, 200);
    await fill(0);
    assert.equal((await post('/backend/activepositions', undefined, token)).status, 200);
    await rm(filler());
    await until('a sign-in', async () => (await post('/backend/login', account)).status === 200);
  });

  it('that has made the database panic is started again when there is room, with all that was acknowledged', async () => {
    const notes = mongo.db.collection<{ _id: number }>('notes');
    await notes.insertMany(
      Array.from({ length: 500 }, (_, _id) => ({ _id })),
      { writeConcern: { w: 1, journal: true } },
    );
    await fill(0);
    // A removal takes room in the log, which it is given, until the checkpoint of each minute finds none at all.
    let removed = 0;
    await until('a database that has panicked', async () => {
      const one = notes.deleteOne({ _id: removed }, { writeConcern: { w: 1, journal: true } });
      const isRemoved = await one.then(
        () => true,
        () => false,
      );
      if (isRemoved) removed++;
      return !isRemoved || removed === 500;
    });
    assert.ok(removed < 500, 'it has not panicked');
    await until('its end', () =>
      reports.some((line) => /^SecantusDB .* ended with 70; starting it again/.test(line)),
    );
    await rm(filler());
    const kept = await until(
      'the database',
      () =>
        notes
          .find()
          .toArray()
          .then(
            (all) => all.map(({ _id }) => _id),
            () => undefined,
          ),
      90_000,
    );
    // The removal without an answer may have been done.
    assert.ok(
      kept.length === 500 - removed || kept.length === 499 - removed,
      `${kept.length}, ${removed} removed`,
    );
    await until('a sign-in', async () => (await post('/backend/login', account)).status === 200);
  });
});
