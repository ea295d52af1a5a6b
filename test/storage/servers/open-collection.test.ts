import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { CommandStartedEvent } from 'mongodb';
import { Metrics } from '../../../storage/process/metrics.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import {
  collections,
  openCollection,
  type CollectionName,
} from '../../../storage/servers/open-collection.js';
import { sourceFiles } from '../../support/harness/source-folder.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';

describe('openCollection', () => {
  let mongo: Mongo;
  const sent: { write: string; writeConcern: unknown }[] = [];

  before(async () => {
    mongo = openMongo(await freshMongodbUrl(), { timeoutMs: 20_000, metrics: new Metrics() });
    mongo.db.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      sent.push({ write: commandName, writeConcern: (command as { writeConcern?: unknown }).writeConcern });
    });
  });
  after(() => mongo.close());

  for (const [name, durability] of Object.entries(collections)) {
    it(`acknowledges writes of ${name} when they are ${durability}`, async () => {
      const collection = openCollection<{ _id: string; n?: number }>(mongo.db, name as CollectionName);
      sent.length = 0;
      await collection.insertOne({ _id: 'a' });
      await collection.updateOne({ _id: 'a' }, { $set: { n: 1 } });
      await collection.replaceOne({ _id: 'b' }, { n: 1 }, { upsert: true });
      await collection.bulkWrite([{ updateOne: { filter: { _id: 'a' }, update: { $set: { n: 2 } } } }]);
      await collection.deleteMany({});
      const writeConcern = durability === 'lasting' ? { w: 'majority', j: true } : undefined;
      const writes = ['insert', 'update', 'update', 'update', 'delete'];
      assert.deepEqual(
        sent,
        writes.map((write) => ({ write, writeConcern })),
      );
    });
  }

  it('is how every repository opens its collection, each that is listed', async () => {
    const named: string[] = [];
    for (const file of sourceFiles('storage')) {
      // A backup reads and deletes whole collections; the check reads the log of a replica set, which is no collection of ours.
      if (/migrations\/\d{4}-|open-collection\.ts$|backup\/|checks\/check-service\.ts$/.test(file)) continue;
      const text = await readFile(file, 'utf8');
      assert.doesNotMatch(text, /\.collection(<[^(]*>)?\(/, file);
      named.push(...[...text.matchAll(/openCollection(?:<[^(]*>)?\(db, '(\w+)'\)/g)].map(([, name]) => name));
    }
    assert.deepEqual([...new Set(named)].sort(), Object.keys(collections).sort());
  });
});
