import type { Redis } from 'ioredis';
import type { Log } from '../../storage/process/log.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';
import { RedisEpoch } from './redis-epoch.js';
import type { Wake, WakeQueue } from './wake-queue.js';

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
