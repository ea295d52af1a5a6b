const bucketMs = 1_000;

/** For so long a second tells what can be done. */
const rememberedMs = 10_000;

/** With fewer open questions it is they that keep the answers few, not the nodes. */
const fewest = 16;

/** How fast a gateway's questions are answered while more wait than can be done: the best of the last seconds. */
export class ThroughputEstimate {
  #from = 0;
  #done = 0;
  #isBusy = false;
  readonly #best: { at: number; perSecond: number }[] = [];

  /** Tells that so many are open now, and whether one of them was answered just before. Times are of performance.now(). */
  note(open: number, wasAnswered: boolean, now = performance.now()): void {
    if (now - this.#from >= bucketMs) this.#turn(now);
    if (open < fewest) this.#isBusy = false;
    if (wasAnswered) this.#done++;
  }

  /** How long a question has to wait behind so many, in ms; 0 where nothing says that it has to. */
  waitMs(open: number, now = performance.now()): number {
    if (open < fewest) return 0;
    const known = this.#best.filter(({ at }) => now - at < rememberedMs);
    if (known.length === 0) return 0;
    return (open * 1_000) / Math.max(...known.map(({ perSecond }) => perSecond));
  }

  #turn(now: number): void {
    if (this.#isBusy && this.#done > 0) {
      this.#best.push({ at: now, perSecond: (this.#done * 1_000) / (now - this.#from) });
      if (this.#best.length > rememberedMs / bucketMs) this.#best.shift();
    }
    this.#from = now;
    this.#done = 0;
    this.#isBusy = true;
  }
}
