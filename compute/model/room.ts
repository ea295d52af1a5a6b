/**
 * Working memory for one task after the other. Fresh memory costs a page fault per 4 KiB, which is more than most
 * kernels take to fill it; columns from a room have been used before. They are good until the next `clear`.
 */
export class Room {
  readonly #columns: Float64Array[] = [];
  #taken = 0;

  /** A column of the given length; what it holds is left over from earlier use. */
  column(length: number): Float64Array {
    const index = this.#taken++;
    let column = this.#columns[index] as Float64Array | undefined;
    if (!column || column.length < length) column = this.#columns[index] = new Float64Array(length);
    return column.subarray(0, length);
  }

  /** What `work` makes with columns of this room, which are given back at its end: the next work finds them in cache. */
  within<T>(work: (room: this) => T): T {
    const taken = this.#taken;
    try {
      return work(this);
    } finally {
      this.#taken = taken;
    }
  }

  /** Gives every column back. */
  clear(): void {
    this.#taken = 0;
  }
}
