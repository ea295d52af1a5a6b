import type { ScratchBuffers } from '../../model/scratch-buffers.js';

/**
 * The mean of a length (a body, a range) over the candles before each candle, without the candle itself.
 *
 * TA-Lib keeps a running total: each step adds one candle and subtracts another. Its rounding error depends on the
 * candle that the total starts with, and decides comparisons of values that are equal in exact arithmetic. To match
 * TA-Lib there is one column for every start, filled on first use.
 */
export class MeansBefore {
  readonly #period: number;
  readonly #lengths: Float64Array;
  readonly #scratch: ScratchBuffers;
  readonly #columns: (Float64Array | undefined)[] = [];

  constructor(period: number, lengths: Float64Array, scratch: ScratchBuffers) {
    this.#period = period;
    this.#lengths = lengths;
    this.#scratch = scratch;
  }

  /** The mean before candle `at`, from the total that started with the window whose last candle is `first` - 1. */
  mean(at: number, first: number): number {
    const column = this.#columns[first] ?? this.#fill(first);
    return column[at];
  }

  #fill(first: number): Float64Array {
    const period = this.#period;
    const lengths = this.#lengths;
    const column = this.#scratch.column(lengths.length);
    let total = 0;
    for (let i = first - period; i < Math.min(first, lengths.length); i++) total += lengths[i];
    for (let i = first; i < lengths.length; i++) {
      column[i] = total / period;
      total += lengths[i] - lengths[i - period];
    }
    this.#columns[first] = column;
    return column;
  }
}
