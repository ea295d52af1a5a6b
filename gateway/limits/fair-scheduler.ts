import { AsyncResource } from 'node:async_hooks';

export interface SchedulerTimes {
  /** How long work is done in one pass of the event loop. */
  sliceMs: number;
  /** How long work is held back while connections keep coming. */
  longestHoldMs: number;
}

const defaultTimes: SchedulerTimes = { sliceMs: 5, longestHoldMs: 10 };

/** The part of a request that runs at the turn of its network: until it waits for something. */
type Work = () => void;

/**
 * Runs the work of requests in short slices; networks take turns. Node accepts one connection in each pass of the event loop. If
 * a pass did all the work that is ready, each connection ahead in the backlog would cost a client one long pass. So a pass works
 * for a few milliseconds, and not at all while connections are being accepted. If no work waits, new work runs at once.
 */
export class FairScheduler {
  /** The work that waits, by network; the network whose turn is next comes first. */
  readonly #waiting = new Map<string, Work[]>();
  /** Both run outside of the asynchronous context of the request that calls them. */
  readonly #runSlice = AsyncResource.bind(() => this.#slice());
  readonly #runOutside = AsyncResource.bind((work: Work) => work());
  readonly #times: SchedulerTimes;
  #isPlanned = false;
  #isAtWork = false;
  #isGoingOn = false;
  /** Whether work has already run at once in this pass. All such work of a pass shares one slice. */
  #isPassOpen = false;
  #sliceEnd = 0;
  #hasAccepted = false;
  #heldSince: number | null = null;

  constructor(times: SchedulerTimes = defaultTimes) {
    this.#times = times;
  }

  /** Runs work of a network when it is its turn: at once if no other work waits and this pass has time left. */
  run(network: string, work: Work): void {
    if (this.#mayRunNow()) this.#runNow(work);
    else this.#queue(network, work);
  }

  /** Begins to read a connection at the turn of its network, and ends the slice: its input is parsed before further work. */
  read(network: string, begin: Work): void {
    this.run(network, () => {
      begin();
      this.#sliceEnd = 0;
    });
  }

  /** Resolves at the turn of a network; at once for a caller that is part of running work. */
  async turnOf(network: string): Promise<void> {
    if (this.#isAtWork) return;
    if (this.#mayGoOnNow()) return;
    await new Promise<void>((resolve) => this.#queue(network, resolve));
  }

  /** To be called when a connection has been accepted: more may be waiting, and the next pass accepts one of them. */
  noteAccepted(): void {
    this.#hasAccepted = true;
  }

  #mayRunNow(): boolean {
    if (this.#isPlanned || this.#isAtWork || this.#hasAccepted) return false;
    const now = performance.now();
    if (!this.#isPassOpen) {
      this.#isPassOpen = true;
      this.#sliceEnd = now + this.#times.sliceMs;
      setImmediate(() => (this.#isPassOpen = false));
    }
    return now < this.#sliceEnd;
  }

  /** Whether a request may continue at once: only the first of several whose replies arrive together. */
  #mayGoOnNow(): boolean {
    if (this.#isGoingOn || !this.#mayRunNow()) return false;
    this.#isGoingOn = true;
    afterPromises(() => (this.#isGoingOn = false));
    return true;
  }

  #runNow(work: Work): void {
    this.#isAtWork = true;
    this.#runOutside(work);
    afterPromises(() => (this.#isAtWork = false));
  }

  #queue(network: string, work: Work): void {
    const queue = this.#waiting.get(network);
    if (queue) queue.push(work);
    else this.#waiting.set(network, [work]);
    if (!this.#isPlanned) this.#plan();
  }

  #plan(): void {
    this.#isPlanned = true;
    setImmediate(this.#runSlice);
  }

  #slice(): void {
    const now = performance.now();
    if (this.#isHeldBack(now)) return this.#plan();
    this.#sliceEnd = now + this.#times.sliceMs;
    this.#runNext();
  }

  /** Whether this pass has accepted a connection. After `longestHoldMs` work runs for a slice all the same. */
  #isHeldBack(now: number): boolean {
    const hasAccepted = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#heldSince = hasAccepted ? (this.#heldSince ?? now) : null;
    if (this.#heldSince === null || now - this.#heldSince < this.#times.longestHoldMs) return hasAccepted;
    this.#heldSince = null;
    return false;
  }

  #runNext(): void {
    const work = this.#takeNext();
    this.#isPlanned = work !== null;
    if (work === null) return;
    this.#isAtWork = true;
    work();
    afterPromises(() => this.#goOn());
  }

  #goOn(): void {
    this.#isAtWork = false;
    if (performance.now() < this.#sliceEnd) this.#runNext();
    else this.#plan();
  }

  /** The oldest work of the next network, which comes last from then on. */
  #takeNext(): Work | null {
    for (const [network, queue] of this.#waiting) {
      const work = queue.shift()!;
      this.#waiting.delete(network);
      if (queue.length > 0) this.#waiting.set(network, queue);
      return work;
    }
    return null;
  }
}

/** Calls back after the promises that work has settled, because the code that awaits them is part of the work. */
const afterPromises = (callback: () => void): void => queueMicrotask(() => process.nextTick(callback));
