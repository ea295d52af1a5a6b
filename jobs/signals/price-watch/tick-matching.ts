import type { MarketTick } from '../../../compute/model/market-tick.js';
import { pairName } from '../../../compute/model/market-pair.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';

/** Two successive ticks of a pair as one: the later price, with the range and the volume of both. */
export const mergedTick = (earlier: MarketTick, later: MarketTick): MarketTick => ({
  ...later,
  high: earlier.high.compare(later.high) > 0 ? earlier.high : later.high,
  low: earlier.low.compare(later.low) < 0 ? earlier.low : later.low,
  volume: earlier.volume && later.volume ? earlier.volume.plus(later.volume) : null,
  since: Math.min(earlier.since, later.since),
});

/** Ticks that wait to be processed, one for each pair: further ticks are merged with it in the order of their times. */
export class PendingTicks {
  #byPair = new Map<string, MarketTick>();

  /** Pairs with a tick. */
  get size(): number {
    return this.#byPair.size;
  }

  add(tick: MarketTick): void {
    const pair = pairName(tick.pair);
    const waiting = this.#byPair.get(pair);
    const [earlier, later] = waiting && waiting.at > tick.at ? [tick, waiting] : [waiting, tick];
    this.#byPair.set(pair, earlier ? mergedTick(earlier, later) : later);
  }

  takeAll(): MarketTick[] {
    const ticks = [...this.#byPair.values()];
    this.#byPair = new Map();
    return ticks;
  }
}

/** How long ticks are kept, for executions that announce their levels after ticks that they have not seen. */
const recentMs = 60_000;

/** The time up to which an execution has seen prices; before its creation no price concerns it. */
export const knownMs = ({ seenMs, createdMs }: WatchedExecution): number => seenMs ?? createdMs;

/** The ticks of the last minute, by pair. */
export class RecentTicks {
  readonly #byPair = new Map<string, MarketTick[]>();

  add(tick: MarketTick): void {
    const pair = pairName(tick.pair);
    const kept = this.#byPair.get(pair) ?? [];
    while (kept.length > 0 && kept[0].at <= tick.at - recentMs) kept.shift();
    kept.push(tick);
    this.#byPair.set(pair, kept);
  }

  /** Whether a tick has come that an execution has not seen. */
  isLate(execution: WatchedExecution): boolean {
    const last = this.#byPair.get(execution.pair)?.at(-1);
    return last !== undefined && last.at > knownMs(execution);
  }

  /**
   * All ticks that an execution has not seen, merged into one; those before and after a command that has set levels are merged
   * apart, because the first do not reach these levels.
   */
  rangesFor(execution: WatchedExecution): MarketTick[] {
    const [known, { setMs = known }] = [knownMs(execution), execution];
    const bounds = setMs > known ? [known, setMs, Infinity] : [known, Infinity];
    return bounds.slice(1).flatMap((untilMs, n) => {
      const sinceMs = bounds[n];
      const missed = (this.#byPair.get(execution.pair) ?? [])
        .filter(({ at }) => at > sinceMs && at <= untilMs)
        .map((tick) =>
          tick.since < sinceMs ? { ...tick, high: tick.price, low: tick.price, since: tick.at } : tick,
        );
      return missed.length > 0 ? [missed.reduce(mergedTick)] : [];
    });
  }
}

export interface TickMatchingTools {
  /** Matches orders against ticks, and wakes their executions. If it fails, the ticks are matched with the next ones. */
  match: (ticks: readonly MarketTick[]) => Promise<void>;
  onError: (error: unknown) => void;
}

/**
 * Matches the orders on simulated exchanges separately from the work on levels, so that a price which fills thousands of orders
 * delays nothing else. Further ticks of a pair are merged meanwhile.
 */
export class TickMatching {
  readonly #tools: TickMatchingTools;
  readonly #pending = new PendingTicks();
  #working: Promise<void> | null = null;

  constructor(tools: TickMatchingTools) {
    this.#tools = tools;
  }

  /** Whether every tick so far is matched. */
  get isDone(): boolean {
    return this.#working === null && this.#pending.size === 0;
  }

  /** Adds ticks, each later than the ones of its pair before. Resolves when every tick so far is matched, or matching has failed. */
  add(ticks: readonly MarketTick[]): Promise<void> {
    for (const tick of ticks) this.#pending.add(tick);
    this.#working ??= this.#work().finally(() => (this.#working = null));
    return this.#working;
  }

  async #work(): Promise<void> {
    while (this.#pending.size > 0) {
      const ticks = this.#pending.takeAll();
      try {
        await this.#tools.match(ticks);
      } catch (error) {
        for (const tick of ticks) this.#pending.add(tick);
        this.#tools.onError(error);
        return;
      }
    }
  }
}
