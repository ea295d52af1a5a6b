import type { MarketTick } from '../../../compute/model/market-tick.js';
import { PendingTicks } from './pending-ticks.js';

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
