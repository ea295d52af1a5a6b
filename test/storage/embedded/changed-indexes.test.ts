import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import { freshMongodbUrl } from '../../support/servers/servers.js';

describe('indexes of the embedded MongoDB that change between writes', () => {
  let client: MongoClient;
  const rows = () => client.db().collection<{ _id: number; name: string }>('rows');
  const row = (id: number, name = `name ${id}`) => ({ _id: id, name });
  const isDuplicate = { code: 11000 };

  before(async () => (client = new MongoClient(await freshMongodbUrl())));
  after(() => client.close());

  it('count from the next write on, and no longer after they are dropped', async () => {
    await rows().insertMany([row(1), row(2)]);
    await rows().createIndex({ name: 1 }, { unique: true, name: 'once' });
    await assert.rejects(rows().insertOne(row(3, 'name 1')), isDuplicate);
    await assert.rejects(rows().updateOne({ _id: 2 }, { $set: { name: 'name 1' } }), isDuplicate);
    await rows().dropIndex('once');
    await rows().insertOne(row(3, 'name 1'));
    await rows().updateMany({ _id: { $gt: 1 } }, { $set: { name: 'name 1' } });
    assert.equal(await rows().countDocuments({ name: 'name 1' }), 3);
    await rows().deleteMany({});
  });

  it('count for writes that go on while they are made', async () => {
    await rows().insertMany(Array.from({ length: 50 }, (_, id) => row(id)));
    let isMade = false;
    const writing = (async () => {
      for (let id = 1_000; !isMade; id += 20)
        await rows().insertMany(Array.from({ length: 20 }, (_, n) => row(id + n)));
    })();
    await rows().createIndex({ name: 1 }, { unique: true, partialFilterExpression: { name: { $gt: '' } } });
    isMade = true;
    await writing;
    const stored = await rows().find().toArray();
    for (const { name } of [stored[0], stored.at(-1)!])
      await assert.rejects(rows().insertOne(row(-1, name)), isDuplicate);
    const found = await Promise.all(stored.map(({ name }) => rows().findOne({ name })));
    assert.deepEqual(found, stored);
  });
});
