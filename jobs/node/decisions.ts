import { LRUCache } from 'lru-cache';

/** The most decisions that are kept with one version of a series. */
const maxCount = 16;

/**
 * The decisions of strategies on one version of a series, by strategy and parameters; the last 16 used. A version with other
 * candles starts with none, because the look-ahead check of a decision covers the candles it was made on.
 */
export class Decisions {
  readonly #byName = new LRUCache<string, Int8Array>({
    max: maxCount,
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  });
  readonly #onGrowth: () => void;

  /** `onGrowth` is called after a decision was added. */
  constructor(onGrowth: () => void) {
    this.#onGrowth = onGrowth;
  }

  get bytes(): number {
    return this.#byName.calculatedSize;
  }

  get(name: string): Int8Array | undefined {
    return this.#byName.get(name);
  }

  set(name: string, targets: Int8Array): void {
    this.#byName.set(name, targets);
    this.#onGrowth();
  }
}
