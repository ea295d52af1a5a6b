/** What is known of the points that a key has spent of its minute. */
interface Count {
  spent: number;
  /** How many of them Redis has not been told of, and how many it is being told of. */
  untold: number;
  onTheWay: number;
  /** When the minute is over, in ms since the epoch. */
  until: number;
}

/** How many points keys have spent, as Redis told last and as was taken here since. Minutes that are over are forgotten. */
export class SpentPoints {
  /** In the order in which Redis told of them. */
  readonly #counts = new Map<string, Count>();
  readonly #untold = new Set<string>();
  /** Points that Redis is being asked for: nobody is let through in their place. */
  readonly #asked = new Map<string, number>();

  /**
   * Takes points where no more than `most.spent` are then spent and Redis knows of all but `most.unknown`. Null, and none
   * are taken, where it is not so or nothing is known.
   */
  take(
    key: string,
    points: number,
    most: { spent: number; unknown: number },
    now: number,
  ): { spent: number; until: number } | null {
    const count = this.#running(key, now);
    const asked = this.#asked.get(key) ?? 0;
    if (!count || count.spent + asked + points > most.spent) return null;
    if (count.untold + count.onTheWay + points > most.unknown) return null;
    count.spent += points;
    count.untold += points;
    this.#untold.add(key);
    return count;
  }

  /** Redis is asked for points, until the returned function is called. */
  ask(key: string, points: number): () => void {
    this.#asked.set(key, (this.#asked.get(key) ?? 0) + points);
    return () => {
      const left = this.#asked.get(key)! - points;
      if (left > 0) this.#asked.set(key, left);
      else this.#asked.delete(key);
    };
  }

  /**
   * Redis has told how many are spent and how long the minute still takes. It answers in order: what is on the way now, it
   * did not know of.
   */
  learn(key: string, spent: number, leftMs: number, now: number): void {
    const { untold = 0, onTheWay = 0 } = this.#running(key, now) ?? {};
    this.#counts.delete(key);
    this.#counts.set(key, { spent: spent + untold + onTheWay, untold, onTheWay, until: now + leftMs });
    for (const [oldest, { until }] of this.#counts) {
      if (until > now) break;
      this.#counts.delete(oldest);
    }
  }

  /** The points of a key that Redis is to be told of now: given once, and `arrived` when that is done or has failed. */
  handOver(key: string, now: number): number {
    this.#untold.delete(key);
    const count = this.#running(key, now);
    if (!count) return 0;
    const points = count.untold;
    count.untold = 0;
    count.onTheWay += points;
    return points;
  }

  arrived(key: string, points: number, now: number): void {
    const count = this.#running(key, now);
    if (count) count.onTheWay = Math.max(0, count.onTheWay - points);
  }

  /** Whose points Redis has not been told of. */
  get untold(): string[] {
    return [...this.#untold];
  }

  #running(key: string, now: number): Count | undefined {
    const count = this.#counts.get(key);
    return count && count.until > now ? count : undefined;
  }
}
