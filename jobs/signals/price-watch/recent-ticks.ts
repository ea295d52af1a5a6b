import { pairName } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import { mergedTick } from './merged-tick.js';

/** Ticks that are kept for executions that have seen a part of them, and are announced after others. */
const recentMs = 60_000;

/** Up to when prices are known to an execution, or do not concern it. */
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

  /** The ticks after the last that an execution has seen as one; null if there are none. */
  rangeFor(execution: WatchedExecution): MarketTick | null {
    const known = knownMs(execution);
    const missed = (this.#byPair.get(execution.pair) ?? [])
      .filter(({ at }) => at > known)
      .map((tick) => (tick.since < known ? { ...tick, high: tick.price, low: tick.price } : tick));
    return missed.length > 0 ? missed.reduce(mergedTick) : null;
  }
}
