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
import { defaultOldTickMs } from '../venue-scene.js';
import { CrossingQueue, type Crossing } from './crossing-queue.js';
import { LevelIndex } from './level-index.js';
import { PendingTicks, knownMs, RecentTicks, TickMatching } from './tick-matching.js';
import { TickClock } from './tick-clock.js';

export interface PriceWatchTools {
  market: string;
  executions: Pick<ExecutionRepository, 'cross' | 'wake' | 'wakeWithOrders' | 'watchedPages'>;
  due: Pick<DueList, 'add'>;
  queue: Pick<WakeQueue, 'wake'>;
  /** Matches the orders on simulated exchanges, and returns the ids of executions whose orders have changed. */
  match: (ticks: readonly MarketTick[]) => Promise<string[]>;
  progress: Pick<WatchProgress, 'write'>;
  log: Pick<Log, 'warn'>;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

/** Into how many groups missed ticks are divided at most. */
const mostGroups = 20;

/**
 * How long (ms) the work on levels waits for the matching of orders, so that executions see a fill before the price that caused
 * it. A longer wait would delay other executions.
 */
const mostMatchMs = 20;

/** After each page of a reload the watch rests this many times as long as the page took, and processes ticks meanwhile. */
const restPerPage = 4;
const longestRestMs = 100;

/**
 * Compares each tick of a market with the prices that executions wait for, stores the crossings, and wakes the workers. While
 * a crossing is being stored, later ticks of its pair are merged into one tick with their whole range.
 */
export class PriceWatch {
  readonly #tools: PriceWatchTools;
  readonly #index = new LevelIndex();
  readonly #recent = new RecentTicks();
  readonly #clock = new TickClock();
  readonly #pending = new PendingTicks();
  /** Executions that were announced after ticks which may concern them. */
  #late: WatchedExecution[] = [];
  /** Executions whose crossing could not be stored: they are compared again with the next tick. */
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
  /** Orders may have been matched without waking their executions: by a holder that was killed, or before an error. */
  #mayBeUntold = true;
  /** Whether the pending ticks are a replay, and may be older than the age limit of prices. */
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

  /** How many executions it knows. */
  get size(): number {
    return this.#index.size;
  }

  /** The pairs with executions that wait for a price. */
  get pairs(): PairSymbols[] {
    return this.#index.waiting.map((name) => parsePair(name)!);
  }

  /** Notes that announcements may have been missed: all levels are read again, while ticks are processed. */
  noteMissed(): void {
    this.#isStale = true;
  }

  /** Takes ticks. Those above the age limit are ignored, except in a replay. */
  ticks(ticks: readonly MarketTick[]): void {
    const { oldTickMs = defaultOldTickMs } = this.#tools;
    for (const tick of ticks) {
      if (!this.#isReplay && this.#clock.heard(tick.at) > oldTickMs) continue;
      this.#recent.add(tick);
      this.#pending.add(tick);
    }
    this.#late.push(...this.#unstored.splice(0));
    this.#next();
  }

  /** Processes missed ticks in their order, whatever their age. */
  async replay(ticks: readonly MarketTick[]): Promise<void> {
    for (const some of inGroups(ticks)) {
      await this.idle();
      this.#isReplay = true;
      this.ticks(some);
      await this.idle();
    }
  }

  /** Takes the levels that executions announced. A tick that came after they were advanced may cross them already. */
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

  /** Resolves when every tick so far is processed. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
    if (!this.#matching.isDone) await this.#matching.add([]);
  }

  /** Resolves when the present work has ended. No tick may come afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
    await this.#loading?.catch(() => undefined);
  }

  /** Reads the levels of all executions; with `rests`, ticks are processed in between. One load runs at a time. */
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

  /** Takes levels that were read. They do not count as announced, so that an execution that ended meanwhile is dropped. */
  #know(page: readonly WatchedExecution[]): void {
    for (const levels of page) {
      const { id, revision } = levels;
      if (this.#index.set({ id, revision, levels }) && this.#recent.isLate(levels)) this.#late.push(levels);
    }
    this.#next();
  }

  /** Reads levels that may have been missed: before a replay and at the first time, otherwise while ticks are processed. */
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
      // The next holder would leave out ticks that are not matched yet.
      if (lastMs !== null && this.#matching.isDone) await this.#tools.progress.write(lastMs);
    } catch (error) {
      this.#keep(this.#crossings.takeAll());
      this.#isStale = true;
      this.#tools.log.warn({ err: error }, 'ticks not processed; levels are read again');
    }
  }

  /** Compares the waiting ticks with the levels; returns the time of the last tick, or null for none. */
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
    // Late executions come first, because they have missed several ticks and see all of them.
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

  /** Matches orders against ticks, and wakes the executions of changed orders. */
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
    const { price, high, low } = tick;
    const times = { since: new Date(tick.since), at: new Date(tick.at) };
    const stored = { price: String(price), high: String(high), low: String(low), ...times };
    const ids = executions.map(({ id }) => id);
    try {
      await this.#tools.executions.cross(ids, stored, Date.now());
      await this.#tell(executions);
    } catch (error) {
      this.#keep(executions);
      throw error;
    }
  }

  /** Puts executions back whose crossing was not stored. They are compared with all ticks since the last that they have seen. */
  #keep(executions: readonly WatchedExecution[]): void {
    for (const execution of executions) this.#index.putBack(execution);
    this.#unstored.push(...executions);
  }

  /** Wakes the workers for executions. They come first in their slots, so that prices do not wait for a delivery. */
  async #tell(rows: readonly DueRow[]): Promise<void> {
    await this.#tools.due.add(
      rows.map(({ id, partnerId, slot }) => ({ id, partnerId, slot })),
      'first',
    );
    await this.#tools.queue.wake(wakesOf(rows));
  }

  /** Takes the waiting ticks, without those above the age limit. */
  #fresh(): MarketTick[] {
    const { oldTickMs = defaultOldTickMs } = this.#tools;
    return this.#pending.takeAll().filter(({ at }) => this.#isReplay || this.#clock.ageOf(at) <= oldTickMs);
  }

  /** The executions that a tick concerns. An execution that has seen a later price, as in a replay, is put back. */
  #take(tick: MarketTick): Crossing[] {
    const crossed: Crossing[] = [];
    const whole: WatchedExecution[] = [];
    for (const execution of this.#index.take(pairName(tick.pair), tick)) {
      const { seenMs } = execution;
      if (seenMs !== null && seenMs >= tick.at) this.#index.putBack(execution);
      else if (knownMs(execution) <= tick.since) whole.push(execution);
      else {
        const missed = this.#recent.rangesFor(execution);
        const own =
          missed.length > 0 ? missed : [{ ...tick, high: tick.price, low: tick.price, since: tick.at }];
        if (isConcerned(execution, own))
          crossed.push(...own.map((each) => ({ tick: each, executions: [execution] })));
        else this.#index.putBack(execution);
      }
    }
    return whole.length > 0 ? [{ tick, executions: whole }, ...crossed] : crossed;
  }

  #takeLate(late: readonly WatchedExecution[]): Crossing[] {
    return late.flatMap((execution) => {
      const own = this.#recent.rangesFor(execution);
      if (!isConcerned(execution, own) || !this.#index.takeOut(execution)) return [];
      return own.map((tick) => ({ tick, executions: [execution] }));
    });
  }
}

const isConcerned = ({ everyTick, low, high }: WatchedExecution, ticks: readonly MarketTick[]): boolean =>
  ticks.some(
    (tick) =>
      everyTick ||
      (low !== null && tick.low.compare(low) <= 0) ||
      (high !== null && tick.high.compare(high) >= 0),
  );

/** Divides ticks into groups by time; ticks of one moment stay together. */
function inGroups(ticks: readonly MarketTick[]): MarketTick[][] {
  const moments = [...groupBy(ticks, ({ at }) => String(at)).values()];
  const size = Math.ceil(moments.length / mostGroups);
  const groups = groupBy([...moments.entries()], ([n]) => String(Math.floor(n / size)));
  return [...groups.values()].map((group) => group.flatMap(([, some]) => some));
}

function wakesOf(slots: readonly DueRow[]): Wake[] {
  const groups = groupBy(slots, ({ partnerId, slot }) => `${slot} ${partnerId}`);
  return [...groups.values()].map(([{ partnerId, slot }]) => ({ work: 'advance', partnerId, slot }));
}
