import { Redis } from 'ioredis';
import type { sentinelAddress } from './redis-url.js';

type SentinelAddress = NonNullable<ReturnType<typeof sentinelAddress>>;

const retryMs = 1_000;
const watches = new Map<string, PrimaryWatch>();

/**
 * Makes the connection anew, and those that are duplicated from it, when the sentinels have chosen another primary: a machine
 * that is gone closes no connection. (`failoverDetector` of ioredis may end a connection that is just being made.)
 */
export function watchPrimary(url: string, address: SentinelAddress, redis: Redis): void {
  let watch = watches.get(url);
  if (!watch) watches.set(url, (watch = new PrimaryWatch(address, () => watches.delete(url))));
  watch.add(redis);
}

/** Hears of a new primary from each sentinel, for all connections of this process to the primary. */
class PrimaryWatch {
  readonly #members = new Set<Redis>();
  readonly #sentinels: readonly Redis[];
  readonly #ended: () => void;

  constructor({ sentinels, name, sentinelPassword, sentinelTLS: tls }: SentinelAddress, ended: () => void) {
    this.#ended = ended;
    this.#sentinels = sentinels.map(({ host, port }) => {
      const access = { ...(sentinelPassword && { password: sentinelPassword }), ...(tls && { tls }) };
      const sentinel = new Redis({
        host,
        port,
        ...access,
        retryStrategy: () => retryMs,
        autoResubscribe: false,
      });
      sentinel.on('error', () => undefined);
      sentinel.on('ready', () => void sentinel.subscribe('+switch-master').catch(() => undefined));
      sentinel.on('message', (_channel, message: string) => {
        const [changed, , , host, port] = message.split(' ');
        if (changed === name) this.#move(host, Number(port));
      });
      return sentinel;
    });
  }

  add(redis: Redis): void {
    this.#members.add(redis);
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => {
      const other = duplicate(options);
      this.add(other);
      return other;
    };
    redis.once('end', () => {
      this.#members.delete(redis);
      if (this.#members.size > 0) return;
      this.#ended();
      for (const sentinel of this.#sentinels) sentinel.disconnect();
    });
  }

  #move(host: string, port: number): void {
    for (const redis of this.#members) {
      const { remoteAddress, remotePort } = redis.stream ?? {};
      if (redis.status === 'ready' && !(remoteAddress === host && remotePort === port))
        redis.disconnect(true);
    }
  }
}
