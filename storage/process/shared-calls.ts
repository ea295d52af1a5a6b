/** Calls of one key that overlap are made once: all of them get the result, or the error, of the first. */
export class SharedCalls<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The result of the call of this key that is under way, else of `make`, which then begins. */
  run(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const begun = make().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Resolves when all calls that are under way have ended, also if they fail. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
