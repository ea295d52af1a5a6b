import { pairName } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { inChunks } from '../../../compute/model/in-chunks.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';

/** Executions that a price concerns, and the price with its range since the last price that they have seen. */
export interface Crossing {
  tick: MarketTick;
  executions: WatchedExecution[];
}

/** How many executions are stored and woken together. */
const storedAtOnce = 100;

/** Crossings that wait to be stored. Pairs take turns, so that a pair with thousands of executions does not delay the others. */
export class CrossingQueue {
  #byPair = new Map<string, Crossing[]>();

  get isEmpty(): boolean {
    return this.#byPair.size === 0;
  }

  add(crossings: readonly Crossing[]): void {
    for (const { tick, executions } of crossings) {
      const pair = pairName(tick.pair);
      const waiting = this.#byPair.get(pair) ?? [];
      for (const some of inChunks(executions, storedAtOnce)) waiting.push({ tick, executions: some });
      this.#byPair.set(pair, waiting);
    }
  }

  /** Removes and returns the next crossing of the pair whose turn it is; undefined if none waits. */
  next(): Crossing | undefined {
    for (const [pair, waiting] of this.#byPair) {
      this.#byPair.delete(pair);
      const part = waiting.shift();
      if (waiting.length > 0) this.#byPair.set(pair, waiting);
      if (part) return part;
    }
    return undefined;
  }

  /** Removes all crossings and returns their executions. */
  takeAll(): WatchedExecution[] {
    const all = [...this.#byPair.values()].flat().flatMap(({ executions }) => executions);
    this.#byPair = new Map();
    return all;
  }
}
