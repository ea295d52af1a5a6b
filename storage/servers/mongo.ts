import { MongoClient, MongoError, MongoNetworkError, MongoServerError, type Db } from 'mongodb';
import type { Metrics } from '../process/metrics.js';
import { measureMongo, traceMongo } from '../process/round-trips.js';
import type { Tracing } from '../process/tracing.js';

/** How long an operation may take before MongoDB counts as away, and who counts and traces them. */
export interface MongoLimits {
  timeoutMs: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

export interface Mongo {
  db: Db;
  /** Resolves when the server answers. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}

/** A client of the database that the URL names (`tidemark` if it names none). Connects on first use. */
export function openMongo(url: string, { timeoutMs, metrics, tracing }: MongoLimits): Mongo {
  const client = new MongoClient(url, {
    appName: 'tidemark',
    monitorCommands: metrics !== undefined || tracing !== undefined,
    ignoreUndefined: true,
    // A read is tried twice: what one try and the search for a server take must fit into the limit together.
    socketTimeoutMS: timeoutMs * 0.45,
    serverSelectionTimeoutMS: timeoutMs * 0.5,
    waitQueueTimeoutMS: timeoutMs * 0.5,
    connectTimeoutMS: Math.max(timeoutMs, 2_000),
    heartbeatFrequencyMS: 1_000,
    minHeartbeatFrequencyMS: 200,
  });
  if (metrics) measureMongo(client, metrics);
  if (tracing) traceMongo(client, tracing);
  const named = new URL(url.replace(/^mongodb(\+srv)?:/, 'http:').replace(/,[^/]*/, '')).pathname.length > 1;
  const db = client.db(named ? undefined : 'tidemark');
  return {
    db,
    ping: async () => void (await db.command({ ping: 1 })),
    close: () => client.close(),
  };
}

/** Whether a write was refused because what it adds is there already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11000;

/** Whether an error says that MongoDB could not be reached in time, rather than that it refused a request. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return isBrokenSocket(error);
  // Some of its kind have names of their own, such as PoolClearedOnNetworkError.
  return (
    error instanceof MongoNetworkError ||
    /^Mongo(ServerSelection|OperationTimeout|PoolCleared|PoolClosed|NotConnected|TopologyClosed|WaitQueueTimeout)/.test(
      error.name,
    ) ||
    error.hasErrorLabel('RetryableWriteError')
  );
}

/**
 * Whether a write met a connection that the server had just closed: the driver lets that error of Node's through as it is,
 * and only where it was thrown tells whose it was.
 */
const isBrokenSocket = (error: unknown): boolean =>
  error instanceof Error &&
  ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  ) &&
  /[\\/]mongodb[\\/]lib[\\/]/.test(error.stack ?? '');
