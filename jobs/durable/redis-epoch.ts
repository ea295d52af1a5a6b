import type { Redis } from 'ioredis';

const key = 'tidemark:signal-epoch';

/**
 * Detects that Redis may have lost its lists: it was emptied or restarted, or another server replaced it. The run id of the
 * server is stored in Redis itself, so that it is lost together with the lists.
 */
export class RedisEpoch {
  readonly #redis: Redis;

  /** `redis`: a connection that is ready. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Calls `recover` if lists may be lost since any process last called it with success. */
  async check(recover: () => Promise<void>): Promise<void> {
    const [run, noted] = await Promise.all([this.#run(), this.#redis.get(key)]);
    if (run === noted) return;
    await recover();
    await this.#redis.set(key, run);
  }

  /** The run id of the server; 'unknown' where it reports none, so that only an emptied Redis is detected. */
  async #run(): Promise<string> {
    const info = await this.#redis.info('server').catch(() => '');
    return /run_id:(\w+)/.exec(info)?.[1] ?? 'unknown';
  }
}
