import type { Redis } from 'ioredis';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';
import { activityKey, keptMinutes, binOf, type ActivityKind } from './activity.js';

const flushMs = 5_000;

/** Adds counts to the minute that the clock of Redis shows. */
const addScript = `${luaNow}
local key = KEYS[1] .. string.format('%.0f', math.floor(now / 60000))
for n = 2, #ARGV, 2 do redis.call('HINCRBY', key, ARGV[n], ARGV[n + 1]) end
redis.call('EXPIRE', key, ARGV[1])`;

/**
 * Counts the requests and jobs of this process by duration. Each process adds its counts to those in Redis with one command
 * every five seconds, so that a single request costs no round trip.
 */
export class ActivityRecorder {
  readonly #redis: Redis;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, number>();

  constructor(redis: Redis, everyMs = flushMs) {
    this.#redis = redis;
    this.#timer = setInterval(() => void this.flush(), everyMs).unref();
  }

  /** Counts one request or job that took so many ms. */
  record(kind: ActivityKind, ms: number, hasFailed: boolean): void {
    this.#count(`${kind} ${binOf(ms)}`);
    if (hasFailed) this.#count(`${kind} failed`);
  }

  /** Sends the counts. While Redis is unavailable they are lost: they would be counted in a wrong minute. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts].flat();
    this.#counts = new Map();
    await runScript(this.#redis, addScript, activityKey, [keptMinutes * 60, ...counts]).catch(
      () => undefined,
    );
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #count(field: string): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
  }
}
