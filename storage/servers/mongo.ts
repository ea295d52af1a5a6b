import { createRequire } from 'node:module';
import {
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  type Collection,
  type Db,
  type Filter,
  type ObjectId,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import type { Metrics } from '../process/metrics.js';
import { measureMongo, traceMongo } from '../process/round-trips.js';
import type { Tracing } from '../process/tracing.js';

/** How long an operation may take before MongoDB counts as unavailable, and where operations are measured and traced. */
export interface MongoLimits {
  timeoutMs: number;
  /** For requests with a caller: a MongoDB that answers no heartbeat is away at once, however long an operation may take. */
  failsFast?: true;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

export interface Mongo {
  db: Db;
  /** Resolves when the server answers. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}

interface DriverConnection {
  socket: { emit: (event: 'drain') => boolean };
  cleanup: (error: Error) => void;
}

/**
 * The driver (7.8 and 7.9) waits for ever for a write on a socket that closed just before: `writeCommand` waits for `drain` or
 * `error`, and a closed socket emits neither. So an operation never ended, and a member whose monitor met this was never asked again:
 * the process stayed without a primary until its next start. Woken, it finds the error of the connection.
 */
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};
const { cleanup } = Connection.prototype;
Connection.prototype.cleanup = function (error) {
  cleanup.call(this, error);
  setImmediate(() => this.socket.emit('drain'));
};

/** A client of the database that the URL names (`tidemark` if it names none). Connects on first use. */
export function openMongo(url: string, { timeoutMs, failsFast, metrics, tracing }: MongoLimits): Mongo {
  const client = new MongoClient(url, {
    appName: 'tidemark',
    monitorCommands: metrics !== undefined || tracing !== undefined,
    ignoreUndefined: true,
    // Whatever the URL says: who reads what a secondary has not yet acts on what is no longer so.
    readPreference: 'primary',
    // The driver tries a read twice, so one try and one server selection together must fit into the limit.
    socketTimeoutMS: timeoutMs * 0.45,
    serverSelectionTimeoutMS: failsFast ? 450 : timeoutMs * 0.5,
    waitQueueTimeoutMS: timeoutMs * 0.5,
    // Also of a heartbeat, one a second: without an answer it ends all operations under way.
    connectTimeoutMS: failsFast ? 2_000 : Math.max(timeoutMs, 2_000),
    heartbeatFrequencyMS: 1_000,
    minHeartbeatFrequencyMS: 200,
  });
  // A first connection that fails closes what the driver has made for it, which every later operation would meet: they begin anew.
  client.on('topologyClosed', () => Reflect.set(client, 'topology', undefined));
  if (metrics) measureMongo(client, metrics);
  if (tracing) traceMongo(client, tracing);
  const db = client.db(namesDatabase(url) ? undefined : 'tidemark');
  return {
    db,
    ping: async () => void (await db.command({ ping: 1 })),
    close: () => client.close(),
  };
}

/** Whether the URL has a path. What comes before it has no slash and no question mark: those of passwords and sockets are escaped. */
const namesDatabase = (url: string): boolean => /^[^/]+\/\/[^/?]*\/[^?]/.test(url);

export const duplicateKey = 11_000;

/** Whether a write was refused because of a duplicate key. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === duplicateKey;

/**
 * Inserts a document whose id was made for it alone. If the connection breaks, the driver sends an insert again that may have been
 * stored: then the document is there under its id, which is a success. Throws for another document with the same unique value.
 */
export async function insertOnce<T extends { _id: string | ObjectId }>(
  collection: Collection<T>,
  document: T,
): Promise<void> {
  try {
    await collection.insertOne(document as OptionalUnlessRequiredId<T>);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const own = { _id: document._id } as Filter<T>;
    if ((await collection.findOne(own, { projection: { _id: 1 } })) === null) throw error;
  }
}

/** Whether all writes of a bulk that were refused had duplicate keys. */
export function isOnlyDuplicates(error: unknown): error is MongoBulkWriteError {
  if (!(error instanceof MongoBulkWriteError)) return false;
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return failures.length > 0 && failures.every(({ code }) => code === duplicateKey);
}

/** The code of MongoDB, and of the embedded database, for a write that the disk has no room for. */
export const outOfDiskSpace = 14_031;

/** Whether a write was refused because the disk of MongoDB is full. */
export const isMongoFull = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === outOfDiskSpace;

/**
 * Codes of a member that is no primary, or is about to be none: the Server Discovery and Monitoring specification of MongoDB,
 * "not writable primary" and "node is recovering". The driver marks only the first refusal as one to be tried again.
 */
const notPrimaryCodes: readonly unknown[] = [91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436];

/** Whether an error means that MongoDB could not be reached in time, or that its disk is full. False for other requests that it refused. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return isBrokenSocket(error);
  if (isMongoFull(error) || notPrimaryCodes.includes(error.code)) return true;
  // Some subclasses are not exported and are recognised by name, such as PoolClearedOnNetworkError.
  return (
    error instanceof MongoNetworkError ||
    isBrokenBulk(error) ||
    /^Mongo(ServerSelection|OperationTimeout|PoolCleared|PoolClosed|NotConnected|TopologyClosed|WaitQueueTimeout)/.test(
      error.name,
    ) ||
    error.hasErrorLabel('RetryableWriteError')
  );
}

/** Whether a bulk write failed as a whole: the driver gives the error of the connection that class, without a code. */
const isBrokenBulk = (error: MongoError): boolean =>
  error instanceof MongoBulkWriteError && error.code === undefined && [error.writeErrors].flat().length === 0;

/**
 * Whether a write failed on a connection that the server had just closed. The driver passes on Node's socket error as it
 * is; only its stack shows that it came from the driver.
 */
const isBrokenSocket = (error: unknown): boolean =>
  error instanceof Error &&
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  ) &&
  /[\\/]mongodb[\\/]lib[\\/]/.test(error.stack ?? '');
