import { Job as QueuedJob, type Queue } from 'bullmq';
import { AppError, errorFromData } from '../../compute/model/errors.js';
import type { SentBatch } from './pending-request.js';
import type { RequestHandlers } from './request-handlers.js';
import type { ResultStore } from './result-store.js';
import type { ItemOutcome, RequestBatch } from './wire.js';

export interface SentBatchesOptions {
  queue: Queue<RequestBatch, ItemOutcome[]>;
  results: ResultStore;
  handlers: RequestHandlers;
  /** Puts a batch into the queue again that Redis has lost. */
  resend: (batch: SentBatch) => Promise<void>;
  /** Called for a batch that waits in the queue or runs. */
  onOpen: (batch: SentBatch, isRunning: boolean) => void;
}

/** The batches of a gateway that are in a queue or run, and what to do when their replies do not come. */
export class SentBatches {
  readonly #options: SentBatchesOptions;
  readonly #byId = new Map<string, SentBatch>();

  constructor(options: SentBatchesOptions) {
    this.#options = options;
  }

  add(batch: SentBatch): void {
    this.#byId.set(batch.id, batch);
  }

  get(id: string): SentBatch | undefined {
    return this.#byId.get(id);
  }

  all(): SentBatch[] {
    return [...this.#byId.values()];
  }

  /** Forgets a batch when no request of it has a waiter; whether it did. */
  forgetAnswered(batch: SentBatch): boolean {
    if (batch.requests.some(({ hasWaiters }) => hasWaiters)) return false;
    this.#byId.delete(batch.id);
    return true;
  }

  /** How many batches of an owner are under way: the rank of its next batch, so that owners take turns. */
  countOf(owner: string): number {
    let count = 0;
    for (const { requests } of this.#byId.values()) if (requests[0].owner === owner) count++;
    return count;
  }

  /** Checks the batches that were sent at least `ageMs` ago: reads lost replies, and sends lost batches again. */
  async check(ageMs: number): Promise<void> {
    const old = this.all().filter(({ sentAt }) => performance.now() - sentAt >= ageMs);
    await Promise.allSettled(old.map((batch) => this.#check(batch)));
  }

  async #check(batch: SentBatch): Promise<void> {
    const { queue, resend, onOpen } = this.#options;
    const queued = await QueuedJob.fromId<RequestBatch, ItemOutcome[]>(queue, batch.id);
    if (!this.#byId.has(batch.id)) return;
    if (!queued) return resend(batch);
    const state = await queued.getState();
    onOpen(batch, state === 'active');
    if (state === 'prioritized') await raisePriority(queued);
    else if (state === 'failed') this.#refuseAll(batch, queued.failedReason);
    else if (state === 'completed') await this.#readOutcomes(batch, queued.returnvalue);
  }

  #refuseAll({ requests }: SentBatch, reason: string): void {
    const error = new AppError('unexpected', 'unexpected error', { cause: new Error(reason) });
    for (const request of requests) this.#options.handlers.refuse(request, error);
  }

  /** Answers the requests of a completed batch whose replies did not come. */
  async #readOutcomes(batch: SentBatch, outcomes: readonly ItemOutcome[]): Promise<void> {
    const { results, handlers } = this.#options;
    const found = await results.look(batch.requests.map(({ item }) => item.id));
    batch.requests.forEach((request, index) => {
      if (!request.hasWaiters) return;
      const outcome = outcomes[index];
      const result = found[index];
      if (outcome && outcome !== 'elsewhere') handlers.refuse(request, errorFromData(outcome.error));
      else if (result && result !== 'claimed') handlers.answer(request, result.result, 'computed');
      // A run elsewhere replies when it ends. Without one, neither the result nor its run exists any more.
      else if (!(outcome === 'elsewhere' && result === 'claimed')) handlers.askAgain(request);
    });
    this.forgetAnswered(batch);
  }
}

/** A waiting job gains priority with time, so that new first jobs of other owners cannot delay it for ever. */
async function raisePriority(queued: QueuedJob): Promise<void> {
  if (queued.priority > 1) await queued.changePriority({ priority: Math.ceil(queued.priority / 2) });
}
