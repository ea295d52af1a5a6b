import { setTimeout as pause } from 'node:timers/promises';
import { pairName, parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { Log } from '../../../storage/process/log.js';
import type { ExecutionRepository } from '../../../storage/signals/executions.js';
import type { AnnouncedLevels } from '../../../storage/signals/level-announcements.js';
import type { WatchProgress } from '../../../storage/signals/watch-progress.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import type { DueList, DueRow } from '../../durable/due-list.js';
import type { Wake, WakeQueue } from '../../durable/wake-queue.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { usualOldTickMs } from '../old-tick.js';
import { CrossingQueue, type Crossing } from './crossing-queue.js';
import { LevelIndex } from './level-index.js';
import { PendingTicks } from './pending-ticks.js';
import { knownMs, RecentTicks } from './recent-ticks.js';
import { TickMatching } from './tick-matching.js';

export interface PriceWatchTools {
  market: string;
  executions: Pick<ExecutionRepository, 'cross' | 'wake' | 'wakeWithOrders' | 'watchedPages'>;
  due: Pick<DueList, 'add'>;
  queue: Pick<WakeQueue, 'wake'>;
  /** Matches the orders that rest on simulated exchanges, and answers the executions whose orders have changed. */
  match: (ticks: readonly MarketTick[]) => Promise<string[]>;
  progress: Pick<WatchProgress, 'write'>;
  log: Pick<Log, 'warn'>;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

/** Groups in which missed ticks are worked on. */
const mostGroups = 20;

/**
 * How long levels wait for the orders that a tick matches, so that executions see a fill before the price that made it. More of
 * it holds up other executions.
 */
const mostMatchMs = 20;

/** Each page of a reload is followed by a rest of this many times as long: ticks are worked on in between. */
const restPerPage = 4;
const longestRestMs = 100;

/**
 * Compares each tick of a market with the prices that executions wait for, stores what crosses, and wakes the workers. While
 * a tick is being stored, later ones of its pair become one tick with their whole range.
 */
export class PriceWatch {
  readonly #tools: PriceWatchTools;
  readonly #index = new LevelIndex();
  readonly #recent = new RecentTicks();
  readonly #pending = new PendingTicks();
  /** Executions that were announced after ticks which may concern them. */
  #late: WatchedExecution[] = [];
  /** Executions that ticks concern and that could not be stored: they are looked at again with the next tick. */
  #unstored: WatchedExecution[] = [];
  readonly #matching: TickMatching;
  readonly #crossings = new CrossingQueue();
  #working: Promise<void> | null = null;
  /** Set while a load runs: the executions that were announced meanwhile. */
  #announced: Set<string> | null = null;
  #isStale = true;
  #isLoaded = false;
  #loading: Promise<void> | null = null;
  #isClosed = false;
  /** Orders may have been matched without their executions being told: by a holder that was killed, or before an error. */
  #mayBeUntold = true;
  /** Whether the pending ticks may be older than those that executions act on. */
  #isReplay = false;

  constructor(tools: PriceWatchTools) {
    this.#tools = tools;
    this.#matching = new TickMatching({
      match: (ticks) => this.#match(ticks),
      onError: (error) => {
        this.#mayBeUntold = true;
        tools.log.warn({ err: error }, 'orders not matched; they are matched with the next ticks');
      },
    });
  }

  /** Executions that it knows. */
  get size(): number {
    return this.#index.size;
  }

  /** The pairs with executions that wait for a price. */
  get pairs(): PairSymbols[] {
    return this.#index.waiting.map((name) => parsePair(name)!);
  }

  /** Announcements may have been missed: all levels are read again, while ticks are worked on. */
  noteMissed(): void {
    this.#isStale = true;
  }

  ticks(ticks: readonly MarketTick[]): void {
    const { oldTickMs = usualOldTickMs } = this.#tools;
    for (const tick of ticks) {
      if (!this.#isReplay && Date.now() - tick.at > oldTickMs) continue;
      this.#recent.add(tick);
      this.#pending.add(tick);
    }
    this.#late.push(...this.#unstored.splice(0));
    this.#next();
  }

  /** Works on ticks that were missed, in their order, however old they are. */
  async replay(ticks: readonly MarketTick[]): Promise<void> {
    for (const some of inGroups(ticks)) {
      await this.idle();
      this.#isReplay = true;
      this.ticks(some);
      await this.idle();
    }
  }

  /** Takes what executions announced. A tick that came since they were advanced may cross their levels already. */
  announced(all: readonly AnnouncedLevels[]): void {
    for (const each of all) {
      // Each market has a watch of its own.
      if (each.levels && each.levels.market !== this.#tools.market) continue;
      this.#announced?.add(each.id);
      if (this.#index.set(each) && each.levels && this.#recent.isLate(each.levels))
        this.#late.push(each.levels);
    }
    this.#next();
  }

  /** Resolves when every tick so far is worked on. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
    if (!this.#matching.isDone) await this.#matching.add([]);
  }

  /** Resolves when what runs has ended. No other tick may come. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
    await this.#loading?.catch(() => undefined);
  }

  /** Reads the levels of all executions, with `rests` in between, in which ticks are worked on. One load runs at a time. */
  load(rests = false): Promise<void> {
    this.#loading ??= this.#load(rests).finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load(rests: boolean): Promise<void> {
    const announced = new Set<string>();
    this.#announced = announced;
    this.#isStale = false;
    const ids = new Set<string>();
    try {
      let startedAt = performance.now();
      for await (const page of this.#tools.executions.watchedPages(this.#tools.market)) {
        for (const { id } of page) ids.add(id);
        this.#know(page);
        if (this.#isClosed) return;
        const restMs = Math.min(longestRestMs, (performance.now() - startedAt) * restPerPage);
        if (rests) await pause(restMs);
        startedAt = performance.now();
      }
      this.#index.keepOnly(ids, announced);
      this.#isLoaded = true;
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#announced = null;
    }
  }

  /** Takes what was read. It is not what was announced: an execution that is gone by the end of the load is dropped. */
  #know(page: readonly WatchedExecution[]): void {
    for (const levels of page) {
      const { id, revision } = levels;
      if (this.#index.set({ id, revision, levels }) && this.#recent.isLate(levels)) this.#late.push(levels);
    }
    this.#next();
  }

  /** Reads levels that may have been missed: before missed ticks are worked on, and beside all others. */
  async #refresh(isReplay: boolean): Promise<void> {
    if (this.#isLoaded && !this.#isStale) return;
    if (!this.#isLoaded || isReplay) {
      await this.#loading?.catch(() => undefined);
      return this.#isLoaded && !this.#isStale ? undefined : this.load();
    }
    const { log } = this.#tools;
    this.load(true).catch((error: unknown) =>
      log.warn({ err: error }, 'levels not read; they are read again'),
    );
  }

  #next(): void {
    if (this.#pending.size === 0 && this.#late.length === 0) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      this.#next();
    });
  }

  async #work(): Promise<void> {
    let lastMs: number | null = null;
    try {
      do {
        lastMs = (await this.#takeTicks()) ?? lastMs;
        await this.#storeNext();
      } while (!this.#crossings.isEmpty);
      // What is not matched yet would be left out by the next holder.
      if (lastMs !== null && this.#matching.isDone) await this.#tools.progress.write(lastMs);
    } catch (error) {
      this.#keep(this.#crossings.takeAll());
      this.#isStale = true;
      this.#tools.log.warn({ err: error }, 'ticks not worked on; levels are read again');
    }
  }

  /** Compares the ticks that wait with the levels; answers the time of the last one, or null for none. */
  async #takeTicks(): Promise<number | null> {
    const ticks = this.#fresh();
    const late = this.#late;
    const isReplay = this.#isReplay;
    this.#late = [];
    this.#isReplay = false;
    try {
      await this.#refresh(isReplay);
    } catch (error) {
      this.#unstored.push(...late);
      throw error;
    }
    if (ticks.length > 0) await this.#waitShortly(this.#matching.add(ticks));
    // Those that have missed ticks first: they are shown all of them.
    this.#crossings.add(this.#takeLate(late));
    this.#crossings.add(ticks.flatMap((tick) => this.#take(tick)));
    return ticks.length > 0 ? Math.max(...ticks.map(({ at }) => at)) : null;
  }

  async #waitShortly(matching: Promise<void>): Promise<void> {
    const waiting = new AbortController();
    const rest = pause(mostMatchMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([matching, rest]);
    waiting.abort();
  }

  /** Matches ticks and tells executions of their orders. */
  async #match(ticks: readonly MarketTick[]): Promise<void> {
    const { executions, match, market } = this.#tools;
    if (this.#mayBeUntold) {
      // They look up their orders; the sweeper wakes them.
      await executions.wakeWithOrders(market, Date.now());
      this.#mayBeUntold = false;
    }
    await this.#tell(await executions.wake(await match(ticks), Date.now()));
  }

  async #storeNext(): Promise<void> {
    const part = this.#crossings.next();
    if (!part) return;
    const { tick, executions } = part;
    const { price, high, low, at } = tick;
    const stored = { price: String(price), high: String(high), low: String(low), at: new Date(at) };
    const ids = executions.map(({ id }) => id);
    try {
      await this.#tools.executions.cross(ids, stored, Date.now());
      await this.#tell(executions);
    } catch (error) {
      this.#keep(executions);
      throw error;
    }
  }

  /** Executions that were taken out and not stored wait for their prices again, from the last that they have seen. */
  #keep(executions: readonly WatchedExecution[]): void {
    for (const execution of executions) this.#index.putBack(execution);
    this.#unstored.push(...executions);
  }

  /** Wakes the workers for executions, before what else waits in their slots: prices do not wait for a delivery. */
  async #tell(rows: readonly DueRow[]): Promise<void> {
    await this.#tools.due.add(
      rows.map(({ id, partnerId, slot }) => ({ id, partnerId, slot })),
      'first',
    );
    await this.#tools.queue.wake(wakesOf(rows));
  }

  /** Takes the ticks that wait, without those that are too old to act on. */
  #fresh(): MarketTick[] {
    const { oldTickMs = usualOldTickMs } = this.#tools;
    return this.#pending.takeAll().filter(({ at }) => this.#isReplay || Date.now() - at <= oldTickMs);
  }

  /** The executions that a tick concerns. One that has seen a later price, as in a replay, is left as it is. */
  #take(tick: MarketTick): Crossing[] {
    const crossed: Crossing[] = [];
    const whole: WatchedExecution[] = [];
    for (const execution of this.#index.take(pairName(tick.pair), tick)) {
      const { seenMs } = execution;
      if (seenMs !== null && seenMs >= tick.at) this.#index.putBack(execution);
      else if (knownMs(execution) <= tick.since) whole.push(execution);
      else {
        const own = this.#recent.rangeFor(execution) ?? { ...tick, high: tick.price, low: tick.price };
        if (isConcerned(execution, own)) crossed.push({ tick: own, executions: [execution] });
        else this.#index.putBack(execution);
      }
    }
    return whole.length > 0 ? [{ tick, executions: whole }, ...crossed] : crossed;
  }

  #takeLate(late: readonly WatchedExecution[]): Crossing[] {
    return late.flatMap((execution) => {
      const own = this.#recent.rangeFor(execution);
      if (!own || !isConcerned(execution, own) || !this.#index.takeOut(execution)) return [];
      return [{ tick: own, executions: [execution] }];
    });
  }
}

const isConcerned = ({ everyTick, low, high }: WatchedExecution, tick: MarketTick): boolean =>
  everyTick ||
  (low !== null && tick.low.compare(low) <= 0) ||
  (high !== null && tick.high.compare(high) >= 0);

/** Ticks of one moment together, or of several where there are many. */
function inGroups(ticks: readonly MarketTick[]): MarketTick[][] {
  const moments = [...groupBy(ticks, ({ at }) => String(at)).values()];
  const size = Math.ceil(moments.length / mostGroups);
  const groups = groupBy([...moments.entries()], ([n]) => String(Math.floor(n / size)));
  return [...groups.values()].map((group) => group.flatMap(([, some]) => some));
}

/** One wake for each slot. */
function wakesOf(slots: readonly DueRow[]): Wake[] {
  const groups = groupBy(slots, ({ partnerId, slot }) => `${slot} ${partnerId}`);
  return [...groups.values()].map(([{ partnerId, slot }]) => ({ work: 'advance', partnerId, slot }));
}
