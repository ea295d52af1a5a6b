import { LRUCache } from 'lru-cache';
import type { RuleDecisions } from '../../compute/rules/decide-rules.js';

/** Decisions of a built-in strategy, or of rules. */
export type Kept = Int8Array | RuleDecisions;

const bytesOf = (kept: Kept): number => {
  if (kept instanceof Int8Array) return Math.max(1, kept.byteLength);
  const columns = [kept.bits, ...Object.values(kept.atr), ...(kept.rank ? [kept.rank] : [])];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 1);
};

/** The most decisions that are kept with one version of a series. */
const maxCount = 16;

/**
 * The decisions of strategies on one version of a series, by strategy and parameters; the last 16 used. A version with other
 * candles starts with none, because the look-ahead check of a decision covers the candles it was made on.
 */
export class Decisions {
  readonly #byName = new LRUCache<string, Kept>({
    max: maxCount,
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: bytesOf,
  });
  readonly #onGrowth: () => void;

  /** `onGrowth` is called after a decision was added. */
  constructor(onGrowth: () => void) {
    this.#onGrowth = onGrowth;
  }

  get bytes(): number {
    return this.#byName.calculatedSize;
  }

  get(name: string): Kept | undefined {
    return this.#byName.get(name);
  }

  set(name: string, decisions: Kept): void {
    this.#byName.set(name, decisions);
    this.#onGrowth();
  }
}
