import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Log } from '../../storage/process/log.js';
import type { Lease } from '../../storage/servers/lease.js';
import { Leases } from '../../storage/servers/leases.js';
import { RedisLeaseStore } from '../../storage/servers/redis-lease-store.js';

/** Three renewals within a lease, and no more: an idle process is what a Redis has most of. */
const leaseTimes = { leaseMs: 5_000, renewMs: 1_650 };
const retryMs = 1_500;

export interface LeasedWorkOptions {
  redis: Redis;
  /** What the lease is named: the kind of work, and what it is done for. */
  kind: string;
  name: string;
  log: Pick<Log, 'warn'>;
  /** Works until `ending` is aborted: the lease is lost, or the work is closed. */
  hold: (lease: Lease, ending: AbortSignal) => Promise<void>;
}

/** Work of the one process that holds its lease; the others wait to take over. */
export class LeasedWork {
  readonly #options: LeasedWorkOptions;
  readonly #leases: Leases;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;

  constructor(options: LeasedWorkOptions) {
    this.#options = options;
    this.#leases = new Leases(new RedisLeaseStore(options.redis, `tidemark:${options.kind}:`), leaseTimes);
    this.#ended = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const lease = await this.#leases.take(this.#options.name).catch(() => null);
      if (lease) await this.#hold(lease);
      else await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Without this a fault of the code would end the process, and with it the work on every signal. */
  async #hold(lease: Lease): Promise<void> {
    const { kind, name, log, hold } = this.#options;
    const { signal } = this.#closing;
    try {
      await hold(lease, AbortSignal.any([lease.signal, signal]));
      await lease.release().catch(() => undefined);
    } catch (error) {
      log.warn({ err: error, name }, `the work "${kind}" has failed; it is taken again`);
      await lease.release().catch(() => undefined);
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Resolves when a signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
