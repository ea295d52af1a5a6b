import type { RedisOptions } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';

const sentinelForm =
  /^(rediss?)\+sentinel:\/\/(?:([^@/?]*)@)?((?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:,(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?)*)\/([\w.-]+)(?:\?(.*))?$/i;

/**
 * What a URL of the form `redis+sentinel://user:password@host:port,host:port/NAME?db=0` says; undefined for another form. With
 * `rediss+sentinel` the connections to Redis and to the sentinels are encrypted. `sentinelPassword` is that of the sentinels.
 */
export function sentinelAddress(url: string) {
  const [, scheme, credentials = '', hosts, name, query = ''] = sentinelForm.exec(url) ?? [];
  if (hosts === undefined) return undefined;
  const [username, password] = credentials.split(/:(.*)/s).map(decodeURIComponent);
  const options = new URLSearchParams(query);
  const sentinelPassword = options.get('sentinelPassword');
  return {
    sentinels: hosts.split(',').map((each) => {
      const [, host, port = '26379'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(each)!;
      return { host, port: Number(port) };
    }),
    name,
    db: Number(options.get('db') ?? 0),
    ...(username && { username }),
    ...(password && { password }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(scheme === 'rediss' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    // A sentinel that hangs is passed over.
    sentinelCommandTimeout: 1_000,
  } satisfies RedisOptions;
}

/** The socket and the number of the database in a URL such as `unix:///path?db=1`, with the path percent-encoded. */
export function socketAddress(url: string): { path: string; db: number } {
  const { pathname, searchParams } = new URL(url);
  return { path: decodeURIComponent(pathname), db: Number(searchParams.get('db') ?? 0) };
}

/**
 * The servers that REDIS_URL names, separated by blanks. The first holds what is one per cluster; queues, claims and results of requests
 * are divided among all.
 */
export const redisUrls = (text: string): string[] => text.trim().split(/\s+/);

/** What `/readyz` and the metrics call the n-th server, from 0. */
export const redisName = (n: number): string => (n === 0 ? 'redis' : `redis ${n + 1}`);

/** The places, from 1, of the servers that a compute node takes jobs from: those of REDIS_TAKES, or all. Throws `invalid_settings`. */
export function takenServers(taken: readonly number[], count: number): number[] {
  const unknown = taken.find((place) => place > count);
  if (unknown !== undefined)
    throw new AppError(
      'invalid_settings',
      `settings: REDIS_TAKES must name servers of REDIS_URL from 1 to ${count}, found "${unknown}"`,
    );
  return taken.length > 0 ? [...taken] : Array.from({ length: count }, (_, n) => n + 1);
}
