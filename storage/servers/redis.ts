import { Redis, ReplyError, type RedisOptions } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { Metrics } from '../process/metrics.js';
import { measureRedis, traceRedis } from '../process/round-trips.js';
import type { Tracing } from '../process/tracing.js';

const reconnectDelayMs = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000);

/** Options of a connection that answers a caller: a Redis that is away is an error at once, never a wait. */
export const failFast = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 700,
  connectTimeout: 700,
  retryStrategy: reconnectDelayMs,
} as const satisfies RedisOptions;

/** Options of a connection for what can be done without Redis: rather not at all than late. */
export const quick = {
  ...failFast,
  commandTimeout: 150,
  // Those of one tick go out together.
  enableAutoPipelining: true,
  connectTimeout: 700,
} as const satisfies RedisOptions;

/** Options of a connection that waits for events or jobs: it comes back by itself, however long that takes. */
export const patient = {
  maxRetriesPerRequest: null,
  retryStrategy: reconnectDelayMs,
} as const satisfies RedisOptions;

/** A connection to the Redis that the URL names. Connects at once and again whenever the connection is lost. */
export function openRedis(
  url: string,
  options: typeof failFast | typeof quick | typeof patient,
  metrics?: Metrics,
  tracing?: Tracing,
): Redis {
  const redis = new Redis(url, options);
  if (metrics) measureRedis(redis, metrics);
  if (tracing) traceRedis(redis, tracing);
  // A lost connection shows in the command that needs it and in /readyz; without a listener it would be printed.
  redis.on('error', () => undefined);
  return redis;
}

const longestConnectMs = 10_000;

/** Resolves when the server has answered once. Throws `redis_unavailable` when it has not within 10 s. */
export async function connected(redis: Redis): Promise<void> {
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
  const { host, port } = redis.options;
  const message = `Redis at ${host}:${port} did not answer within ${longestConnectMs / 1000} s`;
  throw new AppError('redis_unavailable', message, { details: { part: 'redis' } });
}

/** Throws where Redis takes no writes: it is away, full, or reads alone, and every job begins with a write. */
export async function checkWritable(redis: Redis): Promise<void> {
  await redis.set('tidemark:writable', '', 'EX', 60);
}

/** What a Lua script answers. Throws `redis_unavailable` when Redis does not, `unexpected` when the script is refused. */
export async function runScript(
  redis: Redis,
  script: string,
  key: string,
  args: readonly (string | number)[],
): Promise<unknown> {
  return answered(redis.eval(script, 1, key, ...args));
}

/** What a command answers. Throws `redis_unavailable` when Redis does not, and what Redis says when it refuses. */
export async function answered<T>(command: Promise<T>): Promise<T> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof ReplyError) throw error;
    throw redisUnavailable(error);
  }
}

/** What whoever asked is told where Redis did not answer. */
export const redisUnavailable = (cause: unknown): AppError =>
  new AppError('redis_unavailable', 'Redis is away; try again in a moment', {
    details: { part: 'redis' },
    cause,
  });
