import {
  candleBytes,
  candlesOver,
  copyCandles,
  sliceCandles,
  type Candles,
} from '../../compute/model/candles.js';

/**
 * Candles in memory that threads share, with space for more at the end. Readers get views that end at the last candle of that
 * time. Later candles are written behind all views, so what a reader sees never changes.
 */
export class SharedColumns {
  readonly capacity: number;
  readonly #all: Candles;
  /** How many candles are in use: a reader may have a view of them. */
  #written = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#all = candlesOver(new SharedArrayBuffer(candleBytes(capacity)), capacity);
  }

  get bytes(): number {
    return candleBytes(this.capacity);
  }

  /**
   * Writes `parts` after the first `count` candles and returns views of all candles. Returns null and writes nothing when that
   * would overwrite candles in use, or when there is not enough space.
   */
  append(count: number, parts: readonly Candles[]): Candles | null {
    const end = parts.reduce((sum, { time }) => sum + time.length, count);
    if (count !== this.#written || end > this.capacity) return null;
    for (const part of parts) {
      copyCandles(part, this.#all, this.#written);
      this.#written += part.time.length;
    }
    return sliceCandles(this.#all, 0, end);
  }
}
