import type { Wake } from '../durable/wake-queue.js';

/** What is due later than this is left to the sweeper. */
const longestMs = 30_000;

/** Wakes slots at times that are near, so that they need not wait for the sweeper. */
export class WakeTimers {
  readonly #wake: (wake: Wake) => void;
  readonly #timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>();

  constructor(wake: (wake: Wake) => void) {
    this.#wake = wake;
  }

  /** Of several times of a slot the first counts; the job that it wakes sets the next. */
  set(wake: Wake, atMs: number): void {
    const inMs = atMs - Date.now();
    if (inMs > longestMs) return;
    const key = `${wake.work} ${wake.partnerId} ${wake.slot}`;
    const known = this.#timers.get(key);
    if (known && known.atMs <= atMs) return;
    clearTimeout(known?.timer);
    const fire = () => {
      this.#timers.delete(key);
      this.#wake(wake);
    };
    this.#timers.set(key, { atMs, timer: setTimeout(fire, Math.max(0, inMs)) });
  }

  close(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
