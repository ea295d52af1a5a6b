import type { Decimal } from '../../../compute/model/decimal.js';

/** A level of an execution. A level that was dropped is not live, and is removed from the list later. */
export interface Level<Owner> {
  readonly price: Decimal;
  readonly owner: Owner;
  isLive: boolean;
}

/** Levels sorted so that those which a price reaches first come last. */
export class SortedLevels<Owner> {
  readonly #reachedBy: 'falling' | 'rising';
  #levels: Level<Owner>[] = [];
  #live = 0;

  /** `falling`: a price reaches the levels at or above it; `rising`: those at or below it. */
  constructor(reachedBy: 'falling' | 'rising') {
    this.#reachedBy = reachedBy;
  }

  get size(): number {
    return this.#live;
  }

  add(price: Decimal, owner: Owner): Level<Owner> {
    const level = { price, owner, isLive: true };
    let [from, to] = [0, this.#levels.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#order(this.#levels[middle].price, price) <= 0) from = middle + 1;
      else to = middle;
    }
    this.#levels.splice(from, 0, level);
    this.#live++;
    return level;
  }

  drop(level: Level<Owner>): void {
    if (!level.isLive) return;
    level.isLive = false;
    this.#live--;
    if (this.#levels.length > 2 * this.#live + 64) this.#levels = this.#levels.filter(({ isLive }) => isLive);
  }

  /** Takes out the levels that a price reaches, and returns their owners. A price that reaches none costs one comparison. */
  take(price: Decimal): Owner[] {
    const owners: Owner[] = [];
    for (
      let last = this.#levels.at(-1);
      last && this.#order(last.price, price) >= 0;
      last = this.#levels.at(-1)
    ) {
      this.#levels.pop();
      if (!last.isLive) continue;
      last.isLive = false;
      this.#live--;
      owners.push(last.owner);
    }
    return owners;
  }

  #order(one: Decimal, other: Decimal): number {
    const order = one.compare(other);
    return this.#reachedBy === 'falling' ? order : -order;
  }
}
