/**
 * Columns that a thread uses again from task to task. New memory costs a page fault per 4 KiB, more than most kernels
 * take to fill it. A column is valid until the next `clear`.
 */
export class ScratchBuffers {
  readonly #columns: Float64Array[] = [];
  #taken = 0;

  /** A column of the given length. It is not cleared: it holds values of an earlier use. */
  column(length: number): Float64Array {
    const index = this.#taken++;
    let column = this.#columns[index] as Float64Array | undefined;
    if (!column || column.length < length) column = this.#columns[index] = new Float64Array(length);
    return column.subarray(0, length);
  }

  /** Bytes of the same memory. They are not cleared, and come in whole words of four. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.column(Math.ceil(length / 8));
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  }

  /** The result of `work`. Afterwards its columns are free again, so that the next call finds them in the CPU cache. */
  within<T>(work: (scratch: this) => T): T {
    const taken = this.#taken;
    try {
      return work(this);
    } finally {
      this.#taken = taken;
    }
  }

  /** Frees every column. */
  clear(): void {
    this.#taken = 0;
  }
}
