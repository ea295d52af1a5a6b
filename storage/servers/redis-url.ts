import type { RedisOptions } from 'ioredis';

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
