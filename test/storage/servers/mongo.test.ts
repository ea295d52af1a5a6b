import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { MongoServerError } from 'mongodb';
import { isMongoUnavailable, openMongo } from '../../../storage/servers/mongo.js';

type Cleared = new (pool: { address: string; serverError: Error }) => Error;
/** The driver makes errors of classes that it does not export: the names are all there is of them. */
const load = createRequire(import.meta.url);
const driver = load('mongodb/lib/cmap/errors.js') as Record<string, Cleared>;
type DriverConnection = new (
  socket: Socket,
  options: object,
) => { command: (namespace: object, command: object) => Promise<unknown> };

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
  it('reads from the primary, whatever the URL says', async () => {
    const mongo = openMongo('mongodb://127.0.0.1:1/?readPreference=secondary', { timeoutMs: 1_000 });
    assert.equal(mongo.db.readPreference?.mode, 'primary');
    await mongo.close();
  });

  it('ends a command whose connection closed while it was written', async () => {
    const { Connection } = load('mongodb/lib/cmap/connection.js') as { Connection: DriverConnection };
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    for (const isClosedFirst of [true, false]) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      await once(socket, 'connect');
      const hostAddress = { host: '127.0.0.1', port: 1 };
      const connection = new Connection(socket, { id: 1, hostAddress, logicalSessionTimeoutMinutes: 30 });
      if (isClosedFirst) socket.destroy();
      const answered = connection.command({ db: 'admin', toString: () => 'admin.$cmd' }, { ping: 1 });
      socket.destroy();
      await assert.rejects(answered, /connection 1 to .* closed/);
    }
    server.close();
  });

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
