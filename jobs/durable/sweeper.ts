import type { Redis } from 'ioredis';
import type { Log } from '../../storage/process/log.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';
import type { Wake, WakeQueue } from './wake-queue.js';

const key = 'tidemark:signal-epoch';

/**
 * Detects that Redis may have lost its lists: it was emptied or restarted, or another server replaced it. The run id of the
 * server is stored in Redis itself, so that it is lost together with the lists.
 */
class RedisEpoch {
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

export interface SweeperOptions {
  redis: Redis;
  queue: WakeQueue;
  /** The slots with due rows. */
  due: () => Promise<Wake[]>;
  /** Makes rows due whose ids Redis may have lost. */
  recover: () => Promise<void>;
  log: Pick<Log, 'warn'>;
  /** Default: 5 s. */
  everyMs?: number;
}

const defaultMs = 5_000;
/** After a slow query the sweeper rests this many times as long, because the embedded MongoDB reads all due rows for it. */
const restPerWork = 10;
const longestRestMs = 60_000;
const turnKey = 'tidemark:signal-sweep';

/**
 * Wakes every slot with due rows, every five seconds. Work that was never queued, was lost with Redis, or failed continues
 * within this time. One worker sweeps at a time.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #epoch: RedisEpoch;
  readonly #sweeping: RepeatedWork;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#epoch = new RedisEpoch(options.redis);
    const { everyMs = defaultMs, log } = options;
    const onError = (err: unknown) => log.warn({ err }, 'due signals not looked up; tried again');
    this.#sweeping = new RepeatedWork(() => this.#sweep(), everyMs, onError);
  }

  close(): Promise<void> {
    return this.#sweeping.close();
  }

  async #sweep(): Promise<void> {
    const { redis, queue, due, recover, everyMs = defaultMs } = this.#options;
    if (redis.status !== 'ready') return;
    if (!(await this.#epoch.takeTurn(turnKey, Math.round(everyMs * 0.8), recover))) return;
    const startedAt = performance.now();
    await queue.wake(await due());
    const restMs = Math.min(longestRestMs, Math.round((performance.now() - startedAt) * restPerWork));
    if (restMs > everyMs) await redis.pexpire(turnKey, restMs);
  }
}
