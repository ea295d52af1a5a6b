/** How many are kept of one version of a series. */
const most = 16;

/**
 * What strategies decided on the candles of one version of a series, by strategy and parameters: the latest 16. A version
 * with other candles begins with none, since the look-ahead check of a decision covers the candles it was made on.
 */
export class Decisions {
  readonly #byName = new Map<string, Int8Array>();
  readonly #grown: () => void;
  #bytes = 0;

  /** `grown` is called whenever one was added. */
  constructor(grown: () => void) {
    this.#grown = grown;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(name: string): Int8Array | undefined {
    return this.#byName.get(name);
  }

  set(name: string, targets: Int8Array): void {
    this.#drop(name);
    this.#byName.set(name, targets);
    this.#bytes += targets.byteLength;
    const [oldest] = this.#byName.keys();
    if (this.#byName.size > most) this.#drop(oldest);
    this.#grown();
  }

  #drop(name: string): void {
    this.#bytes -= this.#byName.get(name)?.byteLength ?? 0;
    this.#byName.delete(name);
  }
}
