export interface BatcherOptions<T> {
  /** Sends one batch. It must not reject. */
  send: (batch: T[]) => Promise<void>;
  /** How many batches may be on their way at a time. */
  concurrency: number;
  /** The most items of a batch. Default: no limit. */
  maxCount?: number;
  /** The largest sum of sizes of a batch, and the size of an item; a larger item travels alone. Default: no limit. */
  maxSize?: number;
  sizeOf?: (item: T) => number;
  /** Items with different keys are never in one batch. */
  keyOf?: (item: T) => string;
  /** Owners take turns: the first item of one owner goes before the second of another. */
  ownerOf?: (item: T) => string;
  /** Whether a batch is at most a fair part of the waiting items, so that every free send has some. */
  spread?: boolean;
}

const noOwner = () => '';

/**
 * Sends the items of the same moment as one batch. An item that comes alone leaves at once. While as many batches are on
 * their way as may be, items wait, so that batches grow with the load.
 */
export class Batcher<T> {
  readonly #options: BatcherOptions<T>;
  readonly #ownerOf: (item: T) => string;
  /** The waiting items of each owner; the owner whose turn it is comes first. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;
  #sending = 0;
  #isScheduled = false;

  constructor(options: BatcherOptions<T>) {
    this.#options = options;
    this.#ownerOf = options.ownerOf ?? noOwner;
  }

  /** How many items wait to be sent. */
  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    this.#queueOf(item).push(item);
    this.#size++;
    this.#schedule();
  }

  /** Puts items before all others of their owners, in their order, and sends them as soon as a send is free. */
  putBack(items: readonly T[]): void {
    for (const item of items.toReversed()) this.#queueOf(item).unshift(item);
    this.#size += items.length;
    this.#schedule();
  }

  /** Removes an item that has not been sent; false when it has been sent. */
  remove(item: T): boolean {
    const queue = this.#waiting.get(this.#ownerOf(item));
    const index = queue?.indexOf(item) ?? -1;
    if (index < 0) return false;
    queue!.splice(index, 1);
    if (queue!.length === 0) this.#waiting.delete(this.#ownerOf(item));
    this.#size--;
    return true;
  }

  /** Removes all items that have not been sent, and returns them. */
  clear(): T[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }

  /** Sends after the items of this tick have come. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#sending < this.#options.concurrency && this.#size > 0) void this.#send(this.#fill());
  }

  async #send(batch: T[]): Promise<void> {
    this.#sending++;
    await this.#options.send(batch);
    this.#sending--;
    this.#flush();
  }

  /** The next batch: as many items as fit, in their order, one of each owner in turn. */
  #fill(): T[] {
    const { concurrency, maxCount = Infinity, maxSize = Infinity, sizeOf, keyOf, spread } = this.#options;
    const fairCount = spread ? Math.ceil(this.#size / (concurrency - this.#sending)) : Infinity;
    const batch: T[] = [];
    let size = 0;
    while (this.#size > 0) {
      const [owner, queue] = this.#waiting.entries().next().value!;
      const [item] = queue;
      size += sizeOf?.(item) ?? 0;
      if (batch.length > 0) {
        if (batch.length >= Math.min(maxCount, fairCount) || size > maxSize) break;
        if (keyOf && keyOf(item) !== keyOf(batch[0])) break;
      }
      batch.push(item);
      this.#endTurn(owner, queue);
    }
    return batch;
  }

  /** Takes the first item off and moves the owner to the end. */
  #endTurn(owner: string, queue: T[]): void {
    queue.shift();
    this.#size--;
    if (this.#waiting.size === 1 && queue.length > 0) return;
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
  }

  #queueOf(item: T): T[] {
    const owner = this.#ownerOf(item);
    let queue = this.#waiting.get(owner);
    if (!queue) this.#waiting.set(owner, (queue = []));
    return queue;
  }
}
