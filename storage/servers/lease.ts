import { AppError } from '../../compute/model/errors.js';
import type { LeaseHolder, LeaseStore, TakenLease } from './redis-lease-store.js';

/** How long a lease is taken for, and how often it is renewed. */
export interface LeaseTimes {
  leaseMs: number;
  renewMs: number;
}

/** A lease as the work sees that runs under it. */
export interface HeldLease {
  /**
   * The fencing token, higher than that of every earlier holder. Documents that are written under the lease keep it, and
   * refuse writes with a lower one.
   */
  readonly token: number;
  /** Whether the earlier holder did not release the lease: it may be paused, and go on writing when it wakes up. */
  readonly tookOver: boolean;
  /** Aborted with `lease_lost` as soon as this process knows that it may have lost the lease: the work must stop. */
  readonly signal: AbortSignal;
  /** Call it before each write: throws `lease_lost` if by the clock of the server another holder has the lease by now. */
  readonly confirm: () => Promise<void>;
}

/** A lease that is held and renewed until it is released. */
export interface Lease extends HeldLease {
  /** Stops renewing and frees the lease. */
  release(): Promise<void>;
}

/** The error of work whose lease another process has taken. */
export const leaseLost = (name: string): AppError =>
  new AppError(
    'lease_lost',
    `"${name}" was taken over by another process, because this one did not renew it in time`,
  );

/** Renews a lease that was taken at `takenAt`, a time of performance.now(). */
export class RenewedLease implements Lease {
  readonly token: number;
  readonly tookOver: boolean;
  readonly #store: LeaseStore;
  readonly #name: string;
  readonly #holder: LeaseHolder;
  readonly #leaseMs: number;
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #end!: NodeJS.Timeout;
  /** When the lease ends unless it is renewed, at the earliest: counted from before the request was sent. */
  #endsAt = 0;
  #isReleased = false;

  constructor(
    store: LeaseStore,
    {
      name,
      holder,
      taken,
      takenAt,
    }: { name: string; holder: LeaseHolder; taken: TakenLease; takenAt: number },
    { leaseMs, renewMs }: LeaseTimes,
  ) {
    this.#store = store;
    this.#name = name;
    this.#holder = holder;
    this.#leaseMs = leaseMs;
    this.token = taken.token;
    this.tookOver = taken.tookOver;
    this.#extend(takenAt);
    // A renewal that fails because the store does not answer is tried again with the next one, until the lease ends.
    this.#renewal = setInterval(() => void this.confirm().catch(() => undefined), renewMs);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  readonly confirm = async (): Promise<void> => {
    // A process that was paused may come here before its timers.
    if (performance.now() >= this.#endsAt) this.#lose();
    this.signal.throwIfAborted();
    const sentAt = performance.now();
    const isHeld = await this.#store.renew(this.#name, this.#holder, this.#leaseMs);
    // A renewal that is under way when the lease is released finds it released.
    if (this.#isReleased) return;
    if (isHeld) this.#extend(sentAt);
    else this.#lose();
    this.signal.throwIfAborted();
  };

  async release(): Promise<void> {
    this.#isReleased = true;
    this.#stop();
    await this.#store.release(this.#name, this.#holder);
  }

  #extend(fromMs: number): void {
    if (this.signal.aborted) return;
    this.#endsAt = fromMs + this.#leaseMs;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#lose(), Math.max(0, this.#endsAt - performance.now()));
  }

  #lose(): void {
    this.#stop();
    this.#lost.abort(leaseLost(this.#name));
  }

  #stop(): void {
    clearInterval(this.#renewal);
    clearTimeout(this.#end);
  }
}
