import { createHash } from 'node:crypto';
import { Redis, ReplyError, type RedisOptions } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { Metrics } from '../process/metrics.js';
import { measureRedis, traceRedis } from '../process/round-trips.js';
import type { Tracing } from '../process/tracing.js';
import { watchPrimary } from './primary-watch.js';
import { redisUrls, sentinelAddress, socketAddress } from './redis-url.js';

const reconnectDelayMs = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000);

export interface ConnectionKind {
  redis: Pick<
    RedisOptions,
    | 'connectTimeout'
    | 'enableAutoPipelining'
    | 'enableOfflineQueue'
    | 'maxRetriesPerRequest'
    | 'retryStrategy'
  >;
  /** After how many milliseconds without an answer a command fails; without it, never. */
  answerMs?: number;
}

/** For requests with a caller: while Redis is unavailable a command fails at once instead of waiting. */
export const failFast = {
  redis: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 700,
    retryStrategy: reconnectDelayMs,
  },
  answerMs: 700,
} as const satisfies ConnectionKind;

/** For commands that the service can do without: they fail after 150 ms rather than delay a request. */
export const quick = {
  // Commands of one tick are sent together.
  redis: { ...failFast.redis, enableAutoPipelining: true },
  answerMs: 150,
} as const satisfies ConnectionKind;

/** For connections that wait for events or jobs: commands wait until the connection is back, for any time. */
export const patient = {
  redis: { maxRetriesPerRequest: null, retryStrategy: reconnectDelayMs },
} as const satisfies ConnectionKind;

/** Where ioredis subscribes anew by itself, its failure is an unhandled rejection: closing the connection meanwhile would end the process. */
const noResubscribing = { autoResubscribe: false } as const satisfies RedisOptions;

/**
 * Opens a connection to the Redis at the URL: `redis://`, `rediss://`, `unix:///path?db=1` for a Unix socket, or the primary that
 * sentinels name (`redis-url.ts`); of several servers the first. Connects at once and reconnects whenever the connection is lost, or the server has become a
 * replica. It does not subscribe anew by itself: `ChannelListener` does.
 */
export function openRedis(urls: string, kind: ConnectionKind, metrics?: Metrics, tracing?: Tracing): Redis {
  const [url] = redisUrls(urls);
  const sentinel = sentinelAddress(url);
  const reconnectOnError = (error: Error) => isReplica(error) && (sentinel ? reconnectAndSend : true);
  const options = { ...kind.redis, ...noResubscribing, reconnectOnError };
  const address = sentinel ?? (url.startsWith('unix:') ? socketAddress(url) : undefined);
  const redis = address ? new Redis({ ...address, ...options }) : new Redis(url, options);
  if (sentinel) watchPrimary(url, sentinel, redis);
  if (kind.answerMs !== undefined) limitAnswers(redis, kind.answerMs);
  if (metrics) measureRedis(redis, metrics);
  if (tracing) traceRedis(redis, tracing);
  // A lost connection shows in the commands that fail and in /readyz; without a listener ioredis would print it.
  redis.on('error', () => undefined);
  return redis;
}

/** What ioredis is to do after an error: connect anew, and send the command again. */
const reconnectAndSend = 2 as const;

const longestConnectMs = 10_000;

/** Resolves when the connection is ready. Throws `redis_unavailable` after 10 s, and for a Redis Cluster. */
export async function connected(redis: Redis): Promise<void> {
  await ready(redis);
  const cluster = await redis.info('cluster').catch(() => '');
  if (!cluster.includes('cluster_enabled:1')) return;
  redis.disconnect();
  const message =
    'REDIS_URL names a node of a Redis Cluster, which is not supported: name one server, or a primary by its sentinels';
  throw new AppError('redis_unavailable', message, { details: { part: 'redis' } });
}

async function ready(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), longestConnectMs);
    redis.once('ready', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  if (isReady) return;
  redis.disconnect();
  const { path, host, port, sentinels, name } = redis.options;
  const known = sentinels?.map((each) => `${each.host}:${each.port}`).join();
  const where = known ? `${name} of the sentinels ${known}` : (path ?? `${host}:${port}`);
  const message = `Redis at ${where} did not answer within ${longestConnectMs / 1000} s`;
  throw new AppError('redis_unavailable', message, { details: { part: 'redis' } });
}

/** Throws when Redis refuses writes because it is unavailable, full or a read-only replica: every job begins with a write. */
export async function checkWritable(redis: Redis): Promise<void> {
  await redis.set('tidemark:writable', '', 'EX', 60);
}

/** The result of a Lua script on some keys. Throws `redis_unavailable`, or Redis's own error when the script fails. */
export async function runScript(
  redis: Redis,
  script: string,
  key: string | readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const keys = [key].flat();
  const rest = [keys.length, ...keys, ...args] as const;
  return awaitRedis(
    // By its digest: the text is many times as long as its arguments. A server that was started anew has forgotten it.
    redis.evalsha(digestOf(script), ...rest).catch((error: unknown) => {
      if (!String(error).includes('NOSCRIPT')) throw error;
      return redis.eval(script, ...rest);
    }),
  );
}

const digests = new Map<string, string>();

function digestOf(script: string): string {
  const digest = digests.get(script) ?? createHash('sha1').update(script).digest('hex');
  digests.set(script, digest);
  return digest;
}

/** The result of a command. Throws `redis_unavailable` when Redis does not answer, or Redis's own error when it refuses. */
export async function awaitRedis<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof ReplyError && !isDiskFull(error) && !isRefusedForNow(error)) throw error;
    throw redisUnavailable(error);
  }
}

/** The error for a caller when Redis did not answer. */
export const redisUnavailable = (cause: unknown): AppError =>
  new AppError(
    'redis_unavailable',
    isDiskFull(cause)
      ? 'the disk of Redis is full: it takes no jobs until there is room; what is only read is answered'
      : 'Redis does not answer; try again in a moment',
    { details: { part: 'redis' }, cause },
  );

/** Whether Redis refused a write, also one of a script, because its disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && /MISCONF.*No space left on device/.test(error.message);

/** Whether the server is a replica: it was a primary until the sentinels chose another. */
const isReplica = (error: unknown): boolean =>
  error instanceof Error && /\b(READONLY|MASTERDOWN)\b/.test(error.message);

/** Whether Redis refused a command while its primary changes, or because the replicas are away that each write needs. */
const isRefusedForNow = (error: unknown): boolean =>
  isReplica(error) || (error instanceof Error && error.message.includes('NOREPLICAS'));

/**
 * Fails each command of this connection that has no answer after so many milliseconds. Unlike the `commandTimeout` of ioredis it
 * takes an answer that arrived while this process was busy: timers run before sockets are read, so after a pause of the process
 * that option would fail commands that Redis answered long ago.
 */
function limitAnswers(redis: Redis, limitMs: number): void {
  const send: Redis['sendCommand'] = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const fail = () => {
      if (!command.isSettled) command.reject(new Error(`no answer from Redis within ${limitMs} ms`));
    };
    // Sockets are read between the timers and the immediates of a turn of the event loop.
    const timer = setTimeout(() => setImmediate(fail), limitMs);
    const stop = () => clearTimeout(timer);
    command.promise.then(stop, stop);
    return send(command, stream);
  };
}
