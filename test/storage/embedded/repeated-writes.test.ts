import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import { freshMongodbUrl } from '../../support/servers/servers.js';

describe('a write that the driver repeats because its answer was lost', () => {
  it('is done once, also when hundreds of others came between', async () => {
    const client = new MongoClient(await freshMongodbUrl());
    const counters = client.db().collection<{ _id: string; n: number }>('counters');
    await counters.insertMany([
      { _id: 'ours', n: 0 },
      { _id: 'of others', n: 0 },
    ]);
    const session = client.startSession();
    const count = () => counters.updateOne({ _id: 'ours' }, { $inc: { n: 1 } }, { session });
    // The driver numbers the writes of a session; a repeated one has the number of the first.
    const { serverSession } = session as unknown as { serverSession: { txnNumber: number } };
    await count();
    serverSession.txnNumber--;
    await count();
    for (let n = 0; n < 300; n++) await counters.updateOne({ _id: 'of others' }, { $inc: { n: 1 } });
    serverSession.txnNumber--;
    await count();
    assert.equal((await counters.findOne({ _id: 'ours' }))?.n, 1);
    await count();
    assert.equal((await counters.findOne({ _id: 'ours' }))?.n, 2);
    await session.endSession();
    await client.close();
  });
});
