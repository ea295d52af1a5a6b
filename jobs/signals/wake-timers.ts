import type { Wake } from '../durable/wake-queue.js';

/** Times further ahead than this are left to the sweeper. */
const longestMs = 30_000;

/** Wakes slots when they are due in the near future, so that they need not wait for the sweeper. */
export class WakeTimers {
  readonly #wake: (wake: Wake) => void;
  readonly #timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>();

  constructor(wake: (wake: Wake) => void) {
    this.#wake = wake;
  }

  /** Wakes a slot at a time. Of several times the earliest counts; the job that it wakes sets the next one. */
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
