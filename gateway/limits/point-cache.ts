import { boundedCache } from '../../storage/process/bounded-cache.js';

/** The points of one key in the current minute. */
interface PointCount {
  spent: number;
  /** Points of `spent` that Redis has not been sent yet; below 0 if more were given back than spent since. */
  unsent: number;
  /** Points of `spent` that were sent to Redis and are not confirmed yet. */
  inFlight: number;
  /** Points that were given back and sent to Redis, and are not confirmed yet. */
  returning: number;
  /** End of the minute, in ms since the epoch. */
  until: number;
}

/** Beyond this many keys the least recently used are forgotten: their next request asks Redis. */
const mostKeys = 20_000;

/** The points that keys have spent: the count last read from Redis plus the points spent here since. */
export class PointCache {
  readonly #counts = boundedCache<PointCount>(mostKeys);
  readonly #unsent = new Set<string>();
  /** Points that are reserved for requests that wait for Redis. */
  readonly #reserved = new Map<string, number>();

  /**
   * Spends points if at most `most.spent` are then spent and at most `most.unknown` of them are unknown to Redis. Null, and
   * nothing is spent, if that does not hold or the count of the key is unknown.
   */
  spend(
    key: string,
    points: number,
    most: { spent: number; unknown: number },
    now: number,
  ): { spent: number; until: number } | null {
    const count = this.#current(key, now);
    if (!count || count.spent + (this.#reserved.get(key) ?? 0) + points > most.spent) return null;
    if (count.unsent + count.inFlight + points > most.unknown) return null;
    count.spent += points;
    count.unsent += points;
    this.#unsent.add(key);
    return count;
  }

  /** The points of a key that are spent in the current minute, and when the minute ends; null if unknown here. */
  read(key: string, now: number): { spent: number; until: number } | null {
    return this.#current(key, now) ?? null;
  }

  /** Gives back points that were spent here. */
  refund(key: string, points: number, now: number): void {
    const count = this.#current(key, now);
    if (!count) return;
    // The minute in which they were spent may have ended: no more is given back than is spent in this one.
    const returned = Math.min(points, count.spent);
    count.spent -= returned;
    count.unsent -= returned;
    this.#unsent.add(key);
  }

  /** Whether the points would exceed the limit, as far as it is known here. */
  isBeyond(key: string, points: number, limit: number, now: number): boolean {
    const count = this.#current(key, now);
    return count !== undefined && count.spent + points > limit;
  }

  /** Reserves points for a request that asks Redis, until the returned function is called. */
  reserve(key: string, points: number): () => void {
    this.#reserved.set(key, (this.#reserved.get(key) ?? 0) + points);
    return () => {
      const left = this.#reserved.get(key)! - points;
      if (left > 0) this.#reserved.set(key, left);
      else this.#reserved.delete(key);
    };
  }

  /**
   * Stores the count from Redis and the time left of the minute. Redis answers in order, so its count does not
   * include the points that are unsent or in flight now.
   */
  update(key: string, spent: number, leftMs: number, now: number): void {
    const { unsent = 0, inFlight = 0, returning = 0 } = this.#current(key, now) ?? {};
    const total = spent + unsent + inFlight - returning;
    this.#counts.set(key, { spent: total, unsent, inFlight, returning, until: now + leftMs });
  }

  /**
   * The unsent points of a key, below 0 for points given back. The caller sends them to Redis now and calls `confirm`
   * afterwards, also after a failure.
   */
  takeUnsent(key: string, now: number): number {
    this.#unsent.delete(key);
    const count = this.#current(key, now);
    if (!count) return 0;
    const points = count.unsent;
    count.unsent = 0;
    if (points > 0) count.inFlight += points;
    else count.returning -= points;
    return points;
  }

  /** Ends the flight of points that `takeUnsent` has returned. */
  confirm(key: string, points: number, now: number): void {
    const count = this.#current(key, now);
    if (!count) return;
    // Not below 0: the points may be those of a minute that has ended.
    if (points > 0) count.inFlight = Math.max(0, count.inFlight - points);
    else count.returning = Math.max(0, count.returning + points);
  }

  get unsentKeys(): string[] {
    return [...this.#unsent];
  }

  #current(key: string, now: number): PointCount | undefined {
    const count = this.#counts.get(key);
    return count && count.until > now ? count : undefined;
  }
}
