import { Decimal } from '../../../../compute/model/decimal.js';
import type { TradingAccount } from '../../../../compute/model/trading-account.js';
import type { VenueHolding } from '../../trading-venue.js';
import type { AccountNews, ToldBalance } from '../../venue-user-stream.js';

/** Balances as they were at a time (ms since 1970). */
export interface BalanceReading {
  readonly at: number;
  readonly rows: readonly VenueHolding[];
}

/** A reading is checked by another one after this time (ms), by the monotonic clock. */
const keptMs = 3_600_000;
/** How long (ms) nothing was told before an account is asked for: balances follow an order at once. */
const quietMs = 2_000;
/** How long (ms) an account is left alone that was asked for: its reading may have failed, or news go on and on. */
const againMs = 30_000;

/** An account on SPOT while its private streams are open. */
interface OpenAccount {
  reading: BalanceReading | null;
  readMs: number;
  /** When the streams have opened, or told of the account last. */
  changedMs: number;
  askedMs: number;
  /** Whether an order has changed of which no balance was told since. */
  isDoubtful: boolean;
  /** The exchange's time of the last balances. */
  toldAt: number;
}

/**
 * The balances on SPOT of accounts whose private streams are open: read by a request, and kept as the streams tell them. What leaves a
 * doubt (an order without balances after it, a move without amounts, balances from before others) lets the account be read again.
 */
export class StreamedBalances {
  readonly #open = new Map<string, OpenAccount>();

  /** The streams of an account tell of everything from now on. */
  open(userId: string): void {
    const never = -Infinity;
    const opened = { changedMs: performance.now(), readMs: never, askedMs: never, toldAt: never };
    this.#open.set(userId, { ...opened, reading: null, isDoubtful: false });
  }

  /** They may miss something from now on. */
  close(userId: string): void {
    this.#open.delete(userId);
  }

  /** Notes what those that tell of some accounts have told. */
  hear(userId: string, { balances, orders, moved }: AccountNews, told: readonly TradingAccount[]): void {
    const open = this.#open.get(userId);
    if (!open || !told.includes('SPOT')) return;
    open.changedMs = performance.now();
    if (orders) open.isDoubtful = true;
    if (!moved) return;
    if (!balances || balances.at < open.toldAt) open.reading = null;
    if (!balances) return;
    open.toldAt = Math.max(open.toldAt, balances.at);
    if (!open.reading) return;
    open.reading = { at: Date.now(), rows: withTold(open.reading.rows, balances.told) };
    open.isDoubtful = false;
  }

  /** Notes what a request has read that was sent at a time of the monotonic clock (ms). News that came meanwhile may be in it or not. */
  noteRead(userId: string, reading: BalanceReading, sentMs: number): void {
    const open = this.#open.get(userId);
    if (open && sentMs > open.changedMs)
      Object.assign(open, { reading, readMs: performance.now(), isDoubtful: false });
  }

  /** Notes that an order was sent there, of which they will tell. */
  noteOrder(userId: string): void {
    const open = this.#open.get(userId);
    if (open) Object.assign(open, { isDoubtful: true, changedMs: performance.now() });
  }

  /** The present balances of a user; null where they are not known for certain. */
  of(userId: string): BalanceReading | null {
    const open = this.#open.get(userId);
    return open && !open.isDoubtful && performance.now() - open.readMs < keptMs ? open.reading : null;
  }

  /** Users whose balances are not known and should be read, each at most once in half a minute, and not while they change. */
  unread(): string[] {
    const now = performance.now();
    const due = [...this.#open].filter(
      ([userId, { askedMs, changedMs }]) =>
        now - askedMs >= againMs && now - changedMs >= quietMs && !this.of(userId),
    );
    return due.map(([userId, open]) => {
      open.askedMs = now;
      return userId;
    });
  }
}

function withTold(rows: readonly VenueHolding[], told: readonly ToldBalance[]): VenueHolding[] {
  const names = new Set(told.map(({ asset }) => asset));
  const changed = told.map(({ asset, free, locked }): VenueHolding => {
    return { account: 'SPOT', asset, free, total: Decimal.sum([free, locked]) };
  });
  return [
    ...rows.filter(({ asset }) => !names.has(asset)),
    ...changed.filter(({ total }) => total.sign !== 0),
  ];
}
