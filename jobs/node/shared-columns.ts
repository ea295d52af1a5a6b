import {
  candleBytes,
  candlesOver,
  copyCandles,
  sliceCandles,
  type Candles,
} from '../../compute/model/candles.js';

/**
 * Candles in memory that threads share, with room for more behind them. What was handed out is never written again: a
 * reader has views that end where the candles ended then, and later ones are written behind all of these.
 */
export class SharedColumns {
  readonly capacity: number;
  readonly #all: Candles;
  /** How many candles some reader may have. */
  #written = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#all = candlesOver(new SharedArrayBuffer(candleBytes(capacity)), capacity);
  }

  get bytes(): number {
    return candleBytes(this.capacity);
  }

  /**
   * All candles once `parts` stand behind the first `count`, as views. Null, and nothing is written, where that would
   * write over candles that somebody may read, or where there is no room.
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
