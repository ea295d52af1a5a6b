/** What is known of the points that a key has spent of its minute. */
interface Count {
  spent: number;
  /** How many of them Redis has not been told of. */
  untold: number;
  /** When the minute is over, in ms since the epoch. */
  until: number;
}

/** How many points keys have spent, as Redis told last and as was taken here since. Minutes that are over are forgotten. */
export class SpentPoints {
  /** In the order in which Redis told of them. */
  readonly #counts = new Map<string, Count>();
  readonly #untold = new Set<string>();

  /** Takes points where no more than `most` are then spent. Null, and none are taken, where more are or nothing is known. */
  take(key: string, points: number, most: number, now: number): { spent: number; until: number } | null {
    const count = this.#running(key, now);
    if (!count || count.spent + points > most) return null;
    count.spent += points;
    count.untold += points;
    this.#untold.add(key);
    return count;
  }

  /** Redis has told how many are spent, those apart that it has not been told of, and how long the minute still takes. */
  learn(key: string, spent: number, leftMs: number, now: number): void {
    const untold = this.#running(key, now)?.untold ?? 0;
    this.#counts.delete(key);
    this.#counts.set(key, { spent: spent + untold, untold, until: now + leftMs });
    for (const [oldest, { until }] of this.#counts) {
      if (until > now) break;
      this.#counts.delete(oldest);
    }
  }

  /** The points of a key that Redis is to be told of now: asked for once. */
  handOver(key: string, now: number): number {
    this.#untold.delete(key);
    const count = this.#running(key, now);
    const points = count?.untold ?? 0;
    if (count) count.untold = 0;
    return points;
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
