import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { freePort } from '../../../storage/embedded/child-server.js';
import { findSecantusdb } from '../../../storage/embedded/secantusdb.js';
import type { ServerProgram } from '../../../storage/embedded/server-program.js';
import { spawnServer, type RunningServer } from '../../../storage/embedded/spawn-server.js';
import { serversDir } from './temporary-settings.js';
import { ownClock } from '../../support/process/own-clock.js';

/** The program, deleting what expired each second instead of each minute. */
const eachSecond = (program: ServerProgram): ServerProgram => ({
  ...program,
  args: (port) =>
    program
      .args(port)
      .map((text) =>
        text.replace(
          'listen = SecantusDBServer.start',
          '$&\nSecantusDBServer.__init__.__kwdefaults__["ttl_sweep_seconds"] = 1',
        ),
      ),
});

/** It takes seconds to delete them. */
const many = 10_000;

describe('SecantusDB', function () {
  this.timeout(120_000);

  let folder: string;
  let server: RunningServer;
  let client: MongoClient;
  let db: Db;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-'));
    const install = { allowed: true, report: () => undefined };
    const program = await findSecantusdb(join(folder, 'data'), serversDir, install);
    const port = await freePort();
    const log = join(folder, 'log');
    server = await spawnServer(eachSecond(program), port, log, new AbortController().signal);
    client = new MongoClient(program.url(port));
    db = client.db('tidemark');
  });
  after(async () => {
    await client.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const until = async (done: () => Promise<boolean>) => {
    while (!(await done())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('answers others while thousands of documents expire', async () => {
    const expiring = db.collection('sessions');
    await expiring.createIndexes([{ key: { userId: 1 } }, { key: { tokenHash: 1 }, unique: true }]);
    await expiring.insertMany(
      Array.from({ length: many }, (_, n) => ({
        userId: n % 10,
        tokenHash: `hash ${n}`,
        expiresAt: ago(n === 7 ? -600 : 60),
      })),
    );
    await expiring.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    const startedAt = performance.now();
    // By the clock of this process, for which a pause of it is no time.
    let longestMs = 0;
    await until(async () => {
      const passedMs = ownClock();
      await db.collection('others').insertOne({});
      await db.collection('others').findOne();
      longestMs = Math.max(longestMs, passedMs());
      return (await expiring.find({ userId: 3 }).limit(1).toArray()).length === 0;
    });
    const allMs = performance.now() - startedAt;
    await until(async () => (await expiring.countDocuments()) === 1);
    assert.equal((await expiring.findOne())?.tokenHash, 'hash 7');
    assert.ok(longestMs < allMs / 3, `an answer took ${Math.round(longestMs)} of ${Math.round(allMs)} ms`);
  });

  it('deletes what expired, however the time is kept, and nothing else', async () => {
    const kept = { a: null, b: 'text', c: 20, d: ago(-60), e: ago(300) };
    const expired = { a: ago(1_200), b: [ago(-600), ago(1_000)] };
    const collection = db.collection<{ _id: string; at: unknown; large?: string }>('kinds');
    const documents = (all: object) => Object.entries(all).map(([_id, at]) => ({ _id, at }));
    await collection.insertMany([
      ...documents(kept),
      ...documents(expired).map((each) => ({ ...each, _id: `expired ${each._id}` })),
      // More than one transaction takes.
      ...['x', 'y', 'z'].map((_id) => ({
        _id: `expired ${_id}`,
        at: ago(900),
        large: _id.repeat(3_000_000),
      })),
    ]);
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 600 });
    await until(async () => (await collection.countDocuments({ _id: /^expired/ })) === 0);
    assert.deepEqual(await collection.distinct('_id'), Object.keys(kept));
  });

  it('deletes by an index of some documents only those', async () => {
    const collection = db.collection<{ _id: string; at: Date; done: boolean }>('partial');
    await collection.insertMany([
      { _id: 'done', at: ago(60), done: true },
      { _id: 'open', at: ago(60), done: false },
    ]);
    await collection.createIndex({ at: -1 });
    await collection.createIndex(
      { at: 1 },
      { expireAfterSeconds: 0, partialFilterExpression: { done: true } },
    );
    await until(async () => (await collection.countDocuments()) === 1);
    assert.equal((await collection.findOne())?._id, 'open');
  });
});
