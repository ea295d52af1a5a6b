import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { MongoServerError } from 'mongodb';
import { isMongoUnavailable, openMongo } from '../../../storage/servers/mongo.js';

type Cleared = new (pool: { address: string; serverError: Error }) => Error;
/** The driver makes errors of classes that it does not export: the names are all there is of them. */
const driver = createRequire(import.meta.url)('mongodb/lib/cmap/errors.js') as Record<string, Cleared>;

describe('isMongoUnavailable', () => {
  it('is so of what was under way when the driver gave a frozen server up', () => {
    const pool = { address: '127.0.0.1:27017', serverError: new Error('timed out') };
    for (const name of ['PoolClearedError', 'PoolClearedOnNetworkError'])
      assert.equal(isMongoUnavailable(new driver[name](pool)), true, name);
  });

  it('is so of what a member refuses that is no primary any more, marked or not', () => {
    const refused = (code: number) => new MongoServerError({ message: 'not primary', code });
    assert.deepEqual([10_107, 189, 11_602, 50].map(refused).map(isMongoUnavailable), [
      ...[true, true, true],
      false,
    ]);
  });

  it('is not so of other errors', () => {
    assert.equal(isMongoUnavailable(new Error('MongoNetworkError')), false);
  });
});

describe('openMongo', () => {
  const cases: [url: string, database: string][] = [
    ['mongodb://host', 'tidemark'],
    ['mongodb://host:1/', 'tidemark'],
    ['mongodb://host?tls=true', 'tidemark'],
    ['mongodb://host/?authSource=admin', 'tidemark'],
    ['mongodb://host/mine', 'mine'],
    ['mongodb://host/test?tls=true', 'test'],
    ['mongodb://ada,b:c,d%2Ff%40@one:1,two:2,three/mine?replicaSet=x', 'mine'],
    ['mongodb://ada:a,b@one:1,two:2/?replicaSet=a', 'tidemark'],
    ['mongodb://%2Frun%2Fmongodb.sock/mine', 'mine'],
    ['mongodb://[::1]:27017', 'tidemark'],
  ];
  for (const [url, database] of cases)
    it(`uses ${database} of ${url}`, async () => {
      const mongo = openMongo(url, { timeoutMs: 1_000 });
      assert.equal(mongo.db.databaseName, database);
      await mongo.close();
    });
});
