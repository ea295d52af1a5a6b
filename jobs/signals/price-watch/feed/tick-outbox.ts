import { pairName } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { mergedTick } from '../tick-matching.js';

/** The least time (ms) between two publications. */
const everyMs = 20;

export interface TickOutboxOptions {
  send: (ticks: readonly MarketTick[]) => Promise<void>;
  /** Called when ticks were not sent; they are sent with the next ones. */
  onError: (error: unknown) => void;
}

/** Ticks that wait to be sent: one for each pair, with the range of all ticks since the last one that was sent. */
export class TickOutbox {
  readonly #options: TickOutboxOptions;
  #waiting = new Map<string, MarketTick>();
  /** The time of the last tick of each pair. */
  readonly #sent = new Map<string, number>();
  #sending: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sentMs = 0;
  #isClosed = false;

  constructor(options: TickOutboxOptions) {
    this.#options = options;
  }

  /** Adds a tick that came after all others of its pair. */
  add(tick: MarketTick): void {
    const name = pairName(tick.pair);
    const waiting = this.#waiting.get(name);
    this.#waiting.set(name, waiting ? mergedTick(waiting, tick) : tick);
  }

  /** Sends the waiting ticks: now, or 20 ms after the last publication. */
  flush(): void {
    if (this.#isClosed || this.#sending || this.#timer || this.#waiting.size === 0) return;
    const leftMs = this.#sentMs + everyMs - Date.now();
    if (leftMs <= 0) return this.#start();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#start();
      },
      Math.min(leftMs, everyMs),
    );
  }

  /** Drops the waiting tick of a pair, and forgets the time of its last one. */
  forget(name: string): void {
    this.#waiting.delete(name);
    this.#sent.delete(name);
  }

  /** Sends the waiting ticks, and none after them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#sending;
    await this.#send();
  }

  #start(): void {
    this.#sentMs = Date.now();
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
      this.flush();
    });
  }

  async #send(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const due = [...this.#waiting];
    this.#waiting = new Map();
    const ticks = due.map(([name, tick]) => this.#afterLast(name, tick));
    try {
      await this.#options.send(ticks);
      for (const { pair, at } of ticks) this.#sent.set(pairName(pair), at);
    } catch (error) {
      for (const [, tick] of due) this.#putBack(tick);
      this.#options.onError(error);
    }
  }

  /** Gives a tick a later time than the last one of its pair, because several ticks may have the same time. */
  #afterLast(name: string, tick: MarketTick): MarketTick {
    const last = this.#sent.get(name);
    const at = Math.max(tick.at, (last ?? -Infinity) + 1);
    // Extremes that were looked up may reach back further than the last tick.
    return { ...tick, since: Math.min(last ?? tick.since, tick.since), at };
  }

  #putBack(tick: MarketTick): void {
    const name = pairName(tick.pair);
    const later = this.#waiting.get(name);
    this.#waiting.set(name, later ? mergedTick(tick, later) : tick);
  }
}
