import { pairName } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { mergedTick } from './merged-tick.js';

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
