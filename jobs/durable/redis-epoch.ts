import type { Redis } from 'ioredis';

const key = 'tidemark:signal-epoch';

/**
 * Says whether Redis may have lost what was listed in it: it was emptied, started again, or another server took its place. The
 * id of the server's run is noted in Redis itself, and is gone with everything else.
 */
export class RedisEpoch {
  readonly #redis: Redis;

  /** `redis`: a connection that is ready. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Calls `recover` if something may be lost since it was called last, by any process. One that fails is called again. */
  async check(recover: () => Promise<void>): Promise<void> {
    const [run, noted] = await Promise.all([this.#run(), this.#redis.get(key)]);
    if (run === noted) return;
    await recover();
    await this.#redis.set(key, run);
  }

  /** A server that does not tell the id of its run has one that never changes. */
  async #run(): Promise<string> {
    const info = await this.#redis.info('server').catch(() => '');
    return /run_id:(\w+)/.exec(info)?.[1] ?? 'unknown';
  }
}
