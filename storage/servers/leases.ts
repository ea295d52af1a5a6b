import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { RenewedLease, type HeldLease, type Lease, type LeaseTimes } from './lease.js';
import type { LeaseStore } from './redis-lease-store.js';

const defaultTimes: LeaseTimes = { leaseMs: 15_000, renewMs: 5_000 };
const retryMs = 100;
const longestWaitMs = 120_000;

/** Work that only one process at a time may do, over all processes that share the store. */
export class Leases {
  readonly #store: LeaseStore;
  readonly #times: LeaseTimes;

  constructor(store: LeaseStore, times = defaultTimes) {
    this.#store = store;
    this.#times = times;
  }

  /**
   * Runs `work` while no other process holds the lease of that name, and waits for it first. A lease whose holder died is
   * free after 15 s. Throws `unexpected` when the lease cannot be taken within two minutes.
   */
  async hold<T>(name: string, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + longestWaitMs;
    for (;;) {
      const lease = await this.take(name);
      if (lease) return runAndRelease(lease, work);
      if (performance.now() > giveUpAt)
        throw new AppError('unexpected', `"${name}" is held by another process`);
      await pause(retryMs);
    }
  }

  /** Runs `work` if the lease of that name is free; null, at once, while another process holds it. */
  async attempt<T>(name: string, work: (lease: HeldLease) => Promise<T>): Promise<{ result: T } | null> {
    const lease = await this.take(name);
    return lease && { result: await runAndRelease(lease, work) };
  }

  /**
   * Takes the lease and renews it until it is released; null while another process holds it. With an `owner` it is also
   * taken over from an earlier holder of the same owner, whose signal is then aborted.
   */
  async take(name: string, owner?: string): Promise<Lease | null> {
    const holder = { id: randomUUID(), owner };
    const takenAt = performance.now();
    const taken = await this.#store.take(name, holder, this.#times.leaseMs);
    return taken && new RenewedLease(this.#store, { name, holder, taken, takenAt }, this.#times);
  }

  /** Deletes leases that expired before that time and returns how many: their names may never be asked for again. */
  dropAbandoned(before: Date): Promise<number> {
    return this.#store.dropAbandoned(before);
  }
}

/**
 * The result of the work, or its error. A release that fails changes neither: what the work has done is done, and the lease
 * expires by itself.
 */
async function runAndRelease<T>(lease: Lease, work: (lease: HeldLease) => Promise<T>): Promise<T> {
  try {
    return await work(lease);
  } finally {
    await lease.release().catch(() => undefined);
  }
}
