import type { Decimal } from '../../../compute/model/decimal.js';
import type { AnnouncedLevels } from '../../../storage/signals/level-announcements.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import { SortedLevels, type Level } from './sorted-levels.js';

/** A price, and its extremes since the one before it. */
export interface LevelRange {
  price: Decimal;
  high: Decimal;
  low: Decimal;
}

interface Entry {
  watched: WatchedExecution;
  levels: { list: SortedLevels<Entry>; level: Level<Entry> }[];
}

interface PairLevels {
  falling: SortedLevels<Entry>;
  rising: SortedLevels<Entry>;
  everyTick: Set<Entry>;
}

/**
 * The prices that executions wait for, sorted for each pair, so that the cost of a tick depends only on the levels that it
 * crosses. An execution that a tick concerns is taken out. Once it is advanced, it announces its new levels.
 */
export class LevelIndex {
  readonly #pairs = new Map<string, PairLevels>();
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  /** The pairs with levels now, or with executions that wait for any price. */
  get waiting(): string[] {
    return [...this.#pairs]
      .filter(([, { falling, rising, everyTick }]) => falling.size + rising.size + everyTick.size > 0)
      .map(([pair]) => pair);
  }

  /** Stores the levels that an execution announced; false if the same or a later revision is known already. */
  set({ id, revision, levels }: AnnouncedLevels): boolean {
    const known = this.#entries.get(id);
    if (known && known.watched.revision >= revision) return false;
    if (known) this.#drop(known);
    if (levels) this.#add(levels);
    else this.#entries.delete(id);
    return true;
  }

  /** Puts an execution back that was taken out, unless it has announced something since. */
  putBack(watched: WatchedExecution): void {
    const known = this.#entries.get(watched.id);
    if (known?.watched.revision !== watched.revision) return;
    this.#drop(known);
    this.#add(watched);
  }

  /** Takes out an execution; false if it is out already, or has announced something since. */
  takeOut(watched: WatchedExecution): boolean {
    const known = this.#entries.get(watched.id);
    if (known?.watched.revision !== watched.revision) return false;
    const { everyTick } = this.#pairs.get(watched.pair)!;
    if (known.levels.length === 0 && !everyTick.has(known)) return false;
    this.#drop(known);
    return true;
  }

  /** Drops all executions except `ids` and those that were announced during the load (`since`). */
  keepOnly(ids: ReadonlySet<string>, since: ReadonlySet<string>): void {
    for (const [id, entry] of this.#entries) {
      if (ids.has(id) || since.has(id)) continue;
      this.#drop(entry);
      this.#entries.delete(id);
    }
  }

  /** Takes out the executions of a pair that a price concerns. */
  take(pair: string, { high, low }: LevelRange): WatchedExecution[] {
    const levels = this.#pairs.get(pair);
    if (!levels) return [];
    const found = new Set([...levels.falling.take(low), ...levels.rising.take(high), ...levels.everyTick]);
    for (const entry of found) this.#drop(entry);
    return [...found].map(({ watched }) => watched);
  }

  #add(watched: WatchedExecution): void {
    const pair = this.#pairOf(watched.pair);
    const entry: Entry = { watched, levels: [] };
    const { low, high, everyTick } = watched;
    if (low) entry.levels.push({ list: pair.falling, level: pair.falling.add(low, entry) });
    if (high) entry.levels.push({ list: pair.rising, level: pair.rising.add(high, entry) });
    if (everyTick) pair.everyTick.add(entry);
    this.#entries.set(watched.id, entry);
  }

  /** Removes its levels. The entry stays, so that older announcements are recognised. */
  #drop(entry: Entry): void {
    for (const { list, level } of entry.levels) list.drop(level);
    entry.levels = [];
    this.#pairs.get(entry.watched.pair)?.everyTick.delete(entry);
  }

  #pairOf(pair: string): PairLevels {
    const known = this.#pairs.get(pair);
    if (known) return known;
    const levels: PairLevels = {
      falling: new SortedLevels('falling'),
      rising: new SortedLevels('rising'),
      everyTick: new Set(),
    };
    this.#pairs.set(pair, levels);
    return levels;
  }
}
