import { pairName } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import { mergedTick } from './merged-tick.js';

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
