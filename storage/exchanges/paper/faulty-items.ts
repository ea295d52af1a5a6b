import { boundedCache } from '../../process/bounded-cache.js';
import { isMongoUnavailable } from '../../servers/mongo.js';

const leftOutMs = 60_000;

/** Is told of an account or an order whose stored data cannot be worked on. */
export type ReportFaulty = (id: string, error: unknown) => void;

/**
 * Does work with many accounts or orders together, so that one with faulty data does not hold up the others: where the work fails,
 * it is done again with each half, until the faulty ones are alone. They are reported, and left out for a minute.
 */
export class FaultyItems {
  readonly #leftOut = boundedCache<true>(10_000, { ttl: leftOutMs });
  readonly #report: ReportFaulty;

  constructor(report: ReportFaulty) {
    this.#report = report;
  }

  /** Ids of those that are left out now. */
  get ids(): string[] {
    return [...this.#leftOut.keys()];
  }

  /** Throws what MongoDB throws while it does not answer. `work` is called with at least one item, and may be called again for one. */
  async without<Item>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    work: (some: readonly Item[]) => Promise<void>,
  ): Promise<void> {
    const some = items.filter((item) => !this.#leftOut.has(idOf(item)));
    if (some.length === 0) return;
    try {
      await work(some);
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      if (some.length === 1) this.#leaveOut(idOf(some[0]), error);
      else {
        const half = Math.ceil(some.length / 2);
        await this.without(some.slice(0, half), idOf, work);
        await this.without(some.slice(half), idOf, work);
      }
    }
  }

  #leaveOut(id: string, error: unknown): void {
    this.#leftOut.set(id, true);
    this.#report(id, error);
  }
}
