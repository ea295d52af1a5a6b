/** Runs the work of each key one after the other, in the order in which it came, and the work of different keys at the same time. */
export class KeyedMutex {
  /** By key, the end of the work that came last. Keys without work are forgotten. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** The result of the work, which begins when all earlier work of the key has ended or failed. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const end = result.catch(() => undefined);
    this.#last.set(key, end);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
    }
  }

  /** How many keys have work. */
  get size(): number {
    return this.#last.size;
  }
}
