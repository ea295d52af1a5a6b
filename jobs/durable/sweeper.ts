import type { Redis } from 'ioredis';
import type { Log } from '../../storage/process/log.js';
import { RepeatedWork } from '../../storage/process/repeated-work.js';
import { RedisEpoch } from './redis-epoch.js';
import type { Wake, WakeQueue } from './wake-queue.js';

export interface SweeperOptions {
  redis: Redis;
  queue: WakeQueue;
  /** The slots with rows that are due. */
  due: () => Promise<Wake[]>;
  /** Makes rows due that were listed in Redis, which may have lost them. */
  recover: () => Promise<void>;
  log: Pick<Log, 'warn'>;
  /** Default: 5 s. */
  everyMs?: number;
}

const usualMs = 5_000;
/** A look that took long is followed by a rest of this many times as long: the embedded MongoDB walks all rows that are due. */
const restPerWork = 10;
const longestRestMs = 60_000;
const turnKey = 'tidemark:signal-sweep';

/**
 * Wakes every slot that has rows which are due, every five seconds. What was never queued, was lost with Redis, or failed,
 * goes on within this time. Of all workers one looks at a time.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #epoch: RedisEpoch;
  readonly #sweeping: RepeatedWork;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#epoch = new RedisEpoch(options.redis);
    const { everyMs = usualMs, log } = options;
    const onError = (err: unknown) => log.warn({ err }, 'signal work not swept');
    this.#sweeping = new RepeatedWork(() => this.#sweep(), everyMs, onError);
  }

  close(): Promise<void> {
    return this.#sweeping.close();
  }

  async #sweep(): Promise<void> {
    const { redis, queue, due, recover, everyMs = usualMs } = this.#options;
    if (redis.status !== 'ready') return;
    const isOurs = await redis.set(turnKey, '', 'PX', Math.round(everyMs * 0.8), 'NX');
    if (isOurs === null) return;
    await this.#epoch.check(recover);
    const startedAt = performance.now();
    await queue.wake(await due());
    const restMs = Math.min(longestRestMs, Math.round((performance.now() - startedAt) * restPerWork));
    if (restMs > everyMs) await redis.pexpire(turnKey, restMs);
  }
}
