import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { signalQueueName } from '../../storage/cluster/queues.js';
import type { Log } from '../../storage/process/log.js';
import type { PausableWorker } from '../../storage/servers/mongo-watch.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';
import { checkStalled, takeover } from '../node/stalled-jobs.js';
import type { DurableWork, Wake, WakeQueue } from './wake-queue.js';

/** Works on some of the due rows of a slot, and answers whether more are due. */
export type SlotWork = (slot: PartnerSlot) => Promise<boolean>;

export interface WakeWorkerOptions {
  /** A patient connection. */
  redis: Redis;
  queue: WakeQueue;
  works: Readonly<Record<DurableWork, SlotWork>>;
  log: Pick<Log, 'debug' | 'error'>;
}

/** Jobs at a time, more than the slots of one partner. Most of their time they wait for MongoDB. */
const concurrency = 8;

/** Takes wakes from the queue. BullMQ does not retry a failed wake: its rows stay due, and the sweeper wakes them again. */
export class WakeWorker {
  readonly #options: WakeWorkerOptions;
  readonly #worker: Worker<Wake, void>;
  readonly #endChecks: () => Promise<void>;
  #running = 0;

  constructor(options: WakeWorkerOptions) {
    this.#options = options;
    const { redis, log } = options;
    this.#worker = new Worker<Wake, void>(signalQueueName, ({ data }) => this.#run(data), {
      connection: redis,
      concurrency,
      autorun: false,
      ...takeover,
    });
    this.#worker.on('error', (error) => log.debug({ err: error }, 'signal work'));
    this.#endChecks = checkStalled(redis, [this.#worker]);
  }

  /** What takes the wakes. */
  get workers(): readonly PausableWorker[] {
    return [this.#worker];
  }

  /** Jobs that run here. */
  get running(): number {
    return this.#running;
  }

  async start(): Promise<void> {
    await this.#worker.waitUntilReady();
    this.#worker
      .run()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'signal work ended'));
  }

  /** Takes no more wakes, and resolves when the running jobs have ended. */
  async close(): Promise<void> {
    void this.#endChecks();
    await this.#worker.close();
  }

  async #run(wake: Wake): Promise<void> {
    const { queue, works, log } = this.#options;
    this.#running++;
    try {
      if (await works[wake.work](wake)) await queue.wake([wake]);
    } catch (error) {
      log.error({ ...wake, err: error }, 'signal work failed; it is tried again');
    } finally {
      this.#running--;
    }
  }
}
