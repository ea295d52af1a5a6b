const bucketMs = 1_000;

/** The estimate uses the busy seconds of this time (ms). */
const rememberedMs = 10_000;

/** Fewer busy seconds give no estimate while few wait: a second in which nodes start, or hand work over, is slow. */
const fewestSeconds = 3;

/** The part (ms) of the present second after which it counts where many wait. */
const fewestMs = 250;

/** With fewer open requests, the requests limit the throughput, not the nodes. */
const fewestOpen = 16;

/**
 * Estimates how many requests of a gateway are answered per second under load: the best of the last seconds. With more than
 * `crowd` open requests any busy moment counts, because more than can be answered in time could be accepted in three seconds.
 */
export class ThroughputEstimate {
  readonly #crowd: number;
  #from = 0;
  #answered = 0;
  #isBusy = false;
  readonly #best: { at: number; perSecond: number }[] = [];

  constructor(crowd: number) {
    this.#crowd = crowd;
  }

  /** Counts an event: how many requests are open, and whether one was just answered. `now` is a time of performance.now(). */
  note(open: number, wasAnswered: boolean, now = performance.now()): void {
    if (now - this.#from >= bucketMs) this.#endBucket(now);
    if (open < fewestOpen) this.#isBusy = false;
    if (wasAnswered) this.#answered++;
  }

  /** How long a request waits behind `open` others, in ms; 0 when nothing indicates a wait. */
  waitMs(open: number, now = performance.now()): number {
    if (open < fewestOpen) return 0;
    const known = this.#best.filter(({ at }) => now - at < rememberedMs).map(({ perSecond }) => perSecond);
    if (open > this.#crowd) known.push(...this.#present(now));
    else if (known.length < fewestSeconds) return 0;
    return known.length === 0 ? 0 : (open * 1_000) / Math.max(...known);
  }

  /** What the present second tells, if it does. */
  #present(now: number): number[] {
    const elapsedMs = now - this.#from;
    const tells = this.#isBusy && this.#answered > 0 && elapsedMs >= fewestMs;
    return tells ? [(this.#answered * 1_000) / elapsedMs] : [];
  }

  #endBucket(now: number): void {
    if (this.#isBusy && this.#answered > 0) {
      this.#best.push({ at: now, perSecond: (this.#answered * 1_000) / (now - this.#from) });
      if (this.#best.length > rememberedMs / bucketMs) this.#best.shift();
    }
    this.#from = now;
    this.#answered = 0;
    this.#isBusy = true;
  }
}
