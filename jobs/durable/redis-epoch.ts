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

  /**
   * Takes the turn named `turnKey` for so many ms; false while another process has it. Before that it calls `recover` if lists may
   * be lost since any process last called it with success.
   */
  async takeTurn(turnKey: string, ms: number, recover: () => Promise<void>): Promise<boolean> {
    const taken = (await this.#redis.eval(turnScript, 2, turnKey, key, ms)) as [string, string] | null;
    if (taken === null) return false;
    const [info, noted] = taken;
    const run = /run_id:(\w+)/.exec(info)?.[1] ?? 'unknown';
    if (run === noted) return true;
    await recover();
    await this.#redis.set(key, run);
    return true;
  }
}

/** The run id is 'unknown' where the server reports none, so that only an emptied Redis is detected. */
const turnScript = `
if not redis.call('SET', KEYS[1], '', 'PX', ARGV[1], 'NX') then return false end
local info = redis.pcall('INFO', 'server')
return {type(info) == 'string' and info or '', redis.call('GET', KEYS[2]) or ''}`;
