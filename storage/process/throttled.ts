/** Work that is asked for often and done at once, but not again within `everyMs`: what is asked for meanwhile is done after that. */
export class Throttled {
  readonly #everyMs: number;
  readonly #work: () => void;
  #timer: NodeJS.Timeout | undefined;
  #notBeforeMs = 0;

  constructor(everyMs: number, work: () => void) {
    this.#everyMs = everyMs;
    this.#work = work;
  }

  call(): void {
    const inMs = Math.max(0, this.#notBeforeMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#notBeforeMs = performance.now() + this.#everyMs;
      this.#work();
    }, inMs);
  }

  /** Drops what is waiting. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
