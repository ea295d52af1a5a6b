import { pairName, parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { Log } from '../../../storage/process/log.js';
import type { ExecutionRepository } from '../../../storage/signals/executions.js';
import type { AnnouncedLevels } from '../../../storage/signals/level-announcements.js';
import type { WatchProgress } from '../../../storage/signals/watch-progress.js';
import { inChunks } from '../../../storage/signals/in-chunks.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import type { DueList, DueRow } from '../../durable/due-list.js';
import type { Wake, WakeQueue } from '../../durable/wake-queue.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { usualOldTickMs } from '../old-tick.js';
import { LevelIndex } from './level-index.js';
import { mergedTick } from './merged-tick.js';

export interface PriceWatchTools {
  market: string;
  executions: Pick<ExecutionRepository, 'cross' | 'wake' | 'wakeWithOrders' | 'watched'>;
  due: Pick<DueList, 'add'>;
  queue: Pick<WakeQueue, 'wake'>;
  /** Matches the orders that rest on simulated exchanges, and answers the executions whose orders have changed. */
  match: (ticks: readonly MarketTick[]) => Promise<string[]>;
  progress: Pick<WatchProgress, 'write'>;
  log: Pick<Log, 'warn'>;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

/** Executions that are stored and told together. */
const storedAtOnce = 100;

/** Groups in which missed ticks are worked on. */
const mostGroups = 20;

/** Ticks that are kept for executions that have seen a part of them, and are announced after others. */
const recentMs = 60_000;

/** Executions that a price concerns, and that price with its range since the last that they have seen. */
interface Crossing {
  tick: MarketTick;
  executions: WatchedExecution[];
}

/**
 * Compares each tick of a market with the prices that executions wait for, stores what crosses, and wakes the workers. While
 * a tick is being stored, later ones become one tick with their whole range.
 */
export class PriceWatch {
  readonly #tools: PriceWatchTools;
  readonly #index = new LevelIndex();
  readonly #recent = new Map<string, MarketTick[]>();
  #pending = new Map<string, MarketTick>();
  /** Executions that were announced after ticks which may concern them. */
  #late: WatchedExecution[] = [];
  #working: Promise<void> | null = null;
  /** Set while a load runs: the executions that were announced meanwhile. */
  #announced: Set<string> | null = null;
  #isStale = true;
  /** Orders may have been matched without their executions being told: by a holder that was killed, or before an error. */
  #mayBeUntold = true;
  /** Whether the pending ticks may be older than those that executions act on. */
  #isReplay = false;

  constructor(tools: PriceWatchTools) {
    this.#tools = tools;
  }

  /** Executions that it knows. */
  get size(): number {
    return this.#index.size;
  }

  /** The pairs with executions that wait for a price. */
  get pairs(): PairSymbols[] {
    return this.#index.waiting.map((name) => parsePair(name)!);
  }

  /** Announcements may have been missed: all levels are read again before the next tick is worked on. */
  noteMissed(): void {
    this.#isStale = true;
  }

  ticks(ticks: readonly MarketTick[]): void {
    const { oldTickMs = usualOldTickMs } = this.#tools;
    for (const tick of ticks) {
      if (!this.#isReplay && Date.now() - tick.at > oldTickMs) continue;
      this.#remember(tick);
      this.#add(tick);
    }
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
      if (this.#index.set(each) && each.levels && this.#isLate(each.levels)) this.#late.push(each.levels);
    }
    this.#next();
  }

  /** Resolves when every tick so far is worked on. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Reads the levels of all executions. */
  async load(): Promise<void> {
    this.#announced = new Set();
    this.#isStale = false;
    try {
      const watched = await this.#tools.executions.watched(this.#tools.market);
      this.#index.keepOnly(new Set(watched.map(({ id }) => id)), this.#announced);
      this.announced(watched.map((levels) => ({ id: levels.id, revision: levels.revision, levels })));
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#announced = null;
    }
  }

  #isLate(execution: WatchedExecution): boolean {
    const last = this.#recent.get(execution.pair)?.at(-1);
    return last !== undefined && last.at > knownMs(execution);
  }

  /** Ticks of a pair that wait become one. */
  #add(tick: MarketTick): void {
    const pair = pairName(tick.pair);
    const waiting = this.#pending.get(pair);
    const [earlier, later] = waiting && waiting.at > tick.at ? [tick, waiting] : [waiting, tick];
    this.#pending.set(pair, earlier ? mergedTick(earlier, later) : later);
  }

  #next(): void {
    if (this.#pending.size === 0 && this.#late.length === 0) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      this.#next();
    });
  }

  async #work(): Promise<void> {
    const ticks = this.#fresh();
    const late = this.#late;
    this.#late = [];
    this.#pending = new Map();
    this.#isReplay = false;
    try {
      if (this.#isStale) await this.load();
      await this.#tellUntold();
      if (ticks.length > 0) {
        const touched = await this.#tools.match(ticks);
        await this.#tell(await this.#tools.executions.wake(touched, Date.now()));
      }
      await this.#storeCrossings([...ticks.flatMap((tick) => this.#take(tick)), ...this.#takeLate(late)]);
      if (ticks.length > 0) await this.#tools.progress.write(Math.max(...ticks.map(({ at }) => at)));
    } catch (error) {
      this.#isStale = true;
      this.#mayBeUntold = true;
      this.#tools.log.warn({ err: error }, 'ticks not worked on; levels are read again');
    }
  }

  /** Lets executions look up their orders; the sweeper wakes them. */
  async #tellUntold(): Promise<void> {
    if (!this.#mayBeUntold) return;
    await this.#tools.executions.wakeWithOrders(this.#tools.market, Date.now());
    this.#mayBeUntold = false;
  }

  async #storeCrossings(crossed: readonly Crossing[]): Promise<void> {
    for (const { tick, executions } of crossed) {
      const { price, high, low, at } = tick;
      const stored = { price: String(price), high: String(high), low: String(low), at: new Date(at) };
      for (const some of inChunks(executions, storedAtOnce)) {
        const ids = some.map(({ id }) => id);
        await this.#tools.executions.cross(ids, stored, Date.now());
        await this.#tell(some);
      }
    }
  }

  /** Wakes the workers for executions, before what else waits in their slots: prices do not wait for a delivery. */
  async #tell(rows: readonly DueRow[]): Promise<void> {
    await this.#tools.due.add(
      rows.map(({ id, partnerId, slot }) => ({ id, partnerId, slot })),
      'first',
    );
    await this.#tools.queue.wake(wakesOf(rows));
  }

  /** Ticks that wait and can be acted on. */
  #fresh(): MarketTick[] {
    const { oldTickMs = usualOldTickMs } = this.#tools;
    return [...this.#pending.values()].filter(({ at }) => this.#isReplay || Date.now() - at <= oldTickMs);
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
        const own = this.#rangeFor(execution) ?? { ...tick, high: tick.price, low: tick.price };
        if (isConcerned(execution, own)) crossed.push({ tick: own, executions: [execution] });
        else this.#index.putBack(execution);
      }
    }
    return whole.length > 0 ? [{ tick, executions: whole }, ...crossed] : crossed;
  }

  #takeLate(late: readonly WatchedExecution[]): Crossing[] {
    return late.flatMap((execution) => {
      const own = this.#rangeFor(execution);
      if (!own || !isConcerned(execution, own) || !this.#index.takeOut(execution)) return [];
      return [{ tick: own, executions: [execution] }];
    });
  }

  /** The ticks after the last that an execution has seen as one; null if there are none. */
  #rangeFor(execution: WatchedExecution): MarketTick | null {
    const known = knownMs(execution);
    const missed = (this.#recent.get(execution.pair) ?? [])
      .filter(({ at }) => at > known)
      .map((tick) => (tick.since < known ? { ...tick, high: tick.price, low: tick.price } : tick));
    return missed.length > 0 ? missed.reduce(mergedTick) : null;
  }

  #remember(tick: MarketTick): void {
    const pair = pairName(tick.pair);
    const kept = this.#recent.get(pair) ?? [];
    while (kept.length > 0 && kept[0].at <= tick.at - recentMs) kept.shift();
    kept.push(tick);
    this.#recent.set(pair, kept);
  }
}

/** Up to when prices are known to an execution, or do not concern it. */
const knownMs = ({ seenMs, createdMs }: WatchedExecution): number => seenMs ?? createdMs;

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
