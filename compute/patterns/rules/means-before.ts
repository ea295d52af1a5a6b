import type { ScratchBuffers } from '../../model/scratch-buffers.js';

/**
 * The mean of a length (a body, a range) over the candles before each candle, the candle itself left out.
 *
 * TA-Lib keeps a running total that takes one candle in and gives another back. What rounding leaves in it, and with
 * it the outcome of a comparison that is a tie on paper, depends on the candle the total began with; so there is one
 * column for every beginning, filled when first asked for.
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

  /** The mean before candle `at`, of the total that began with the window whose last candle is `first` - 1. */
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
