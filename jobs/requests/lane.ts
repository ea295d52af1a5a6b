/** What waits in a lane. */
export interface Waiting {
  /** Whose it is: nobody's many go before another's first. */
  owner: string;
  /** Its share of a full batch, 0 to 1. */
  share: number;
}

/**
 * Sends what waits at the same moment together. While a batch is on its way the next gathers, so that one that comes alone
 * leaves at once, and under load batches fill up by themselves. Owners take turns.
 */
export class Lane<T extends Waiting> {
  readonly #send: (batch: T[]) => Promise<void>;
  readonly #mostUnderWay: number;
  /** By owner, in the order of their turns. */
  readonly #waiting = new Map<string, T[]>();
  #underWay = 0;
  #size = 0;

  /** `send` never rejects. At most `mostUnderWay` batches are being sent at a time. */
  constructor(send: (batch: T[]) => Promise<void>, mostUnderWay: number) {
    this.#send = send;
    this.#mostUnderWay = mostUnderWay;
  }

  /** How many wait to be sent. */
  get size(): number {
    return this.#size;
  }

  push(one: T): void {
    const queue = this.#waiting.get(one.owner);
    if (queue) queue.push(one);
    else this.#waiting.set(one.owner, [one]);
    this.#size++;
    void this.#flush();
  }

  /** Takes one out that has not been sent. */
  remove(one: T): boolean {
    const queue = this.#waiting.get(one.owner);
    const index = queue?.indexOf(one) ?? -1;
    if (index < 0) return false;
    this.#take(one.owner, index);
    return true;
  }

  /** Takes out all that has not been sent. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }

  async #flush(): Promise<void> {
    if (this.#underWay >= this.#mostUnderWay) return;
    this.#underWay++;
    // What the same tick brings goes along.
    await Promise.resolve();
    while (this.#size > 0) await this.#send(this.#fill());
    this.#underWay--;
  }

  /** A batch of as many as fit, one of each owner after the other. */
  #fill(): T[] {
    const batch: T[] = [];
    let room = 1;
    while (this.#size > 0) {
      const [owner, queue] = this.#waiting.entries().next().value!;
      if (batch.length > 0 && queue[0].share > room) break;
      const one = this.#take(owner, 0);
      room -= one.share;
      batch.push(one);
      // Whoever had a turn goes to the end.
      const rest = this.#waiting.get(owner);
      if (rest) {
        this.#waiting.delete(owner);
        this.#waiting.set(owner, rest);
      }
    }
    return batch;
  }

  #take(owner: string, index: number): T {
    const queue = this.#waiting.get(owner)!;
    const [one] = queue.splice(index, 1);
    if (queue.length === 0) this.#waiting.delete(owner);
    this.#size--;
    return one;
  }
}
