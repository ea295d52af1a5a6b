import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';

/** One taking of a lease. `id` is unique; `owner` is named where a later holder of the same owner may take the lease over. */
export interface LeaseHolder {
  id: string;
  owner?: string | undefined;
}

/** Where leases are kept. An expired lease counts as free. */
export interface LeaseStore {
  /** Takes the lease for `leaseMs`; false while a holder of another owner has it. */
  take(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean>;
  /** Extends the lease to `leaseMs` from now; false when the holder has lost it. */
  renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean>;
  /** Frees the lease; does nothing when the holder has lost it. */
  release(name: string, holder: LeaseHolder): Promise<void>;
  /** Deletes leases that expired before that time and returns how many. */
  dropAbandoned(before: Date): Promise<number>;
}

/** A lease that is held and renewed until it is released. */
export interface Lease {
  /** Aborted when another holder has taken the lease: the work must stop. */
  readonly signal: AbortSignal;
  /** Stops renewing and frees the lease. */
  release(): Promise<void>;
}

/** For how long a lease is taken, and how often it is renewed. */
export interface LeaseTimes {
  leaseMs: number;
  renewMs: number;
}

const usualTimes: LeaseTimes = { leaseMs: 15_000, renewMs: 5_000 };
const retryMs = 100;
const longestWaitMs = 120_000;

/** Work that only one process at a time may do, over all processes that share the store. */
export class Leases {
  readonly #store: LeaseStore;
  readonly #times: LeaseTimes;

  constructor(store: LeaseStore, times = usualTimes) {
    this.#store = store;
    this.#times = times;
  }

  /**
   * Runs `work` while no other process holds the lease of that name, and waits for it first. A lease whose holder died is
   * free after 15 s. Throws `unexpected` when the lease cannot be taken within two minutes.
   */
  async hold<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + longestWaitMs;
    for (;;) {
      const lease = await this.take(name);
      if (lease) return runAndRelease(lease, work);
      if (Date.now() > giveUpAt) throw new AppError('unexpected', `"${name}" is held by another process`);
      await pause(retryMs);
    }
  }

  /** Runs `work` if the lease of that name is free; null, at once, while another process holds it. */
  async attempt<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<{ result: T } | null> {
    const lease = await this.take(name);
    return lease && { result: await runAndRelease(lease, work) };
  }

  /**
   * Takes the lease and renews it until it is released; null while another process holds it. With an `owner` it is also
   * taken over from an earlier holder of the same owner, whose signal is then aborted.
   */
  async take(name: string, owner?: string): Promise<Lease | null> {
    const { leaseMs, renewMs } = this.#times;
    const holder = { id: randomUUID(), owner };
    if (!(await this.#store.take(name, holder, leaseMs))) return null;
    const lost = new AbortController();
    let isReleased = false;
    const renew = async () => {
      if (await this.#store.renew(name, holder, leaseMs)) return;
      clearInterval(timer);
      // A renewal may still be on its way when the lease is released: that is no loss.
      if (!isReleased) lost.abort();
    };
    // A renewal that fails because the store is unavailable is tried again with the next one.
    const timer = setInterval(() => void renew().catch(() => undefined), renewMs);
    return {
      signal: lost.signal,
      release: async () => {
        isReleased = true;
        clearInterval(timer);
        await this.#store.release(name, holder);
      },
    };
  }

  /** Deletes leases that expired before that time and returns how many: their names may never be asked for again. */
  dropAbandoned(before: Date): Promise<number> {
    return this.#store.dropAbandoned(before);
  }
}

async function runAndRelease<T>(lease: Lease, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await work(lease.signal);
  } finally {
    await lease.release();
  }
}
