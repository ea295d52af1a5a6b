import type { Redis } from 'ioredis';
import { pulseOf, type HeardAnswer } from '../servers/redis-pulse.js';
import { awaitRedis, runScript } from '../servers/redis.js';

/** How long a list holds that is not renewed: its writer has died. */
const keptMs = 15_000;

/** Replaces the list, unless a later holder of the lease has written. KEYS: list, token. ARGV: token, ms, users. */
const putScript = `
if tonumber(redis.call('GET', KEYS[2]) or '0') > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
for n = 3, #ARGV, 1000 do redis.call('SADD', KEYS[1], unpack(ARGV, n, math.min(n + 999, #ARGV))) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/**
 * The users whose account on an exchange is known by its private streams: it was read since they began, and nothing was missed.
 * Such accounts are read rarely. The list is lost with Redis or its writer; accounts are polled then.
 */
export class StreamedAccounts {
  readonly #redis: Redis;
  readonly #key: string;

  constructor(redis: Redis, exchange: string) {
    this.#redis = redis;
    this.#key = `tidemark:streamed:${exchange}`;
  }

  async list(): Promise<Set<string>> {
    return new Set(await awaitRedis(this.#redis.smembers(this.#key)));
  }

  /** The list, as the pulse of the connection tells it. */
  follow(): HeardAnswer<string[]> {
    const script = `return redis.call('SMEMBERS', KEYS[1])`;
    return pulseOf(this.#redis).follow({ script, keys: [this.#key], args: () => [] });
  }

  async has(userId: string): Promise<boolean> {
    return (await awaitRedis(this.#redis.sismember(this.#key, userId))) === 1;
  }

  /** `token`: that of the lease under which the streams are read. Call it every few seconds. */
  async put(token: number, userIds: Iterable<string>): Promise<void> {
    const args = [String(token), String(keptMs), ...userIds];
    await runScript(this.#redis, putScript, [this.#key, `${this.#key}:token`], args);
  }

  async drop(userId: string): Promise<void> {
    await awaitRedis(this.#redis.srem(this.#key, userId));
  }
}
