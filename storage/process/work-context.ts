import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that all steps of a work see, however many works run at once. While an AsyncLocalStorage is in use, every promise of
 * the process costs more on Node 20 and 22, once for each such storage. So this one is in use only while work runs, and
 * steps that go on after the end of their work may see no value. Make one for a kind of work, not one for each object.
 */
export class WorkContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #running = 0;

  getStore(): T | undefined {
    return this.#storage.getStore();
  }

  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    this.#running++;
    try {
      return await this.#storage.run(value, work);
    } finally {
      if (--this.#running === 0) this.#storage.disable();
    }
  }
}
