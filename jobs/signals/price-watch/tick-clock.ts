/** How long (ms) a tick counts as the least delayed one. A clock that was set back is followed after twice this time. */
const rememberedMs = 30_000;

/**
 * Tells the age of ticks by the times of their venue, whatever the difference between the venue's clock and the one of this
 * machine: the age of a tick is its delay beyond that of the least delayed tick of the last minute, by the monotonic clock.
 */
export class TickClock {
  readonly #nowMs: () => number;
  /** The least delays of the present and of the time before: own time less the venue's, so that only differences mean anything. */
  #least = Infinity;
  #leastBefore = Infinity;
  #sinceMs = -Infinity;

  /** `nowMs`: a monotonic clock. */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Notes that a tick with this time of the venue has just come, and answers its age in ms. */
  heard(at: number): number {
    const now = this.#nowMs();
    if (now - this.#sinceMs > rememberedMs) {
      [this.#leastBefore, this.#least, this.#sinceMs] = [this.#least, Infinity, now];
    }
    this.#least = Math.min(this.#least, now - at);
    return this.ageOf(at);
  }

  /** The age of a tick in ms; 0 for the first one. */
  ageOf(at: number): number {
    const least = Math.min(this.#least, this.#leastBefore);
    return least === Infinity ? 0 : this.#nowMs() - at - least;
  }
}
