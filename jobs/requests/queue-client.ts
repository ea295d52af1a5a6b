import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import { AppError } from '../../compute/model/errors.js';
import { queues, type QueueName } from '../../storage/cluster/queues.js';
import type { MetricSample } from '../../storage/process/metrics.js';
import { redisUnavailable } from '../../storage/servers/redis.js';
import { Batcher } from '../../storage/process/batcher.js';
import { DepthLimit } from './depth-limit.js';
import { publishCancel, publishProgressWish } from './node-messages.js';
import type { PendingRequest, SentBatch } from './pending-request.js';
import type { RequestHandlers } from './request-handlers.js';
import type { ResultStore } from './result-store.js';
import { retention } from './retention.js';
import { SentBatches } from './sent-batches.js';
import { ThroughputEstimate } from './throughput-estimate.js';
import type { ItemOutcome, RequestBatch } from './wire.js';

export interface QueueClientOptions {
  name: QueueName;
  redis: Redis;
  results: ResultStore;
  /** The id of the gateway, which names its reply channel. */
  gateway: string;
  /** The most jobs that may wait in the queue. */
  depthLimit: number;
  handlers: RequestHandlers;
}

/** Puts the requests of a gateway into one queue, those of the same moment as one batch, and watches them there. */
export class QueueClient {
  readonly #options: QueueClientOptions;
  readonly #queue: Queue<RequestBatch, ItemOutcome[]>;
  readonly #unsent: Batcher<PendingRequest>;
  readonly #sent: SentBatches;
  readonly #depth: DepthLimit;
  /** Requests whose progress was first wanted after they were sent. */
  readonly #progressWantedLate = new WeakSet<PendingRequest>();
  /** Accepted requests that have not ended. */
  readonly #open = new WeakSet<PendingRequest>();
  #openCount = 0;
  readonly #throughput: ThroughputEstimate;

  constructor(options: QueueClientOptions) {
    const { name, redis, results, handlers, depthLimit } = options;
    this.#options = options;
    this.#queue = new Queue<RequestBatch, ItemOutcome[]>(name, {
      connection: redis,
      skipWaitingForReady: true,
      defaultJobOptions: retention,
      // The events of BullMQ are not read: nodes reply themselves.
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', () => undefined);
    this.#unsent = new Batcher<PendingRequest>({
      send: (requests) => this.#sendTraced(requests),
      concurrency: queues[name].concurrentBatches,
      maxSize: 1,
      sizeOf: ({ share }) => share,
      ownerOf: ({ owner }) => owner,
    });
    this.#depth = new DepthLimit(this.#queue, depthLimit);
    this.#throughput = new ThroughputEstimate(depthLimit);
    this.#sent = new SentBatches({
      queue: this.#queue,
      results,
      handlers,
      resend: (batch) => this.#add(batch),
      onOpen: (batch, isRunning) => {
        this.#repeatProgressWishes(batch);
        void this.#reportEarly(batch, isRunning).catch(() => undefined);
      },
    });
  }

  /** Resolves when the queue can be used. Throws what the connection throws; the client then stays unusable. */
  async ready(): Promise<void> {
    await this.#queue.waitUntilReady();
  }

  /** Sends a request, or refuses it with `queue_full`. */
  push(request: PendingRequest): void {
    const { name, depthLimit, handlers } = this.#options;
    const maxWaitMs = queues[name].maxWaitShare * request.item.limitMs;
    const isTooLate = this.#throughput.waitMs(this.#openCount) > maxWaitMs;
    if (isTooLate || this.#unsent.size >= depthLimit)
      return handlers.refuse(request, this.#depth.full(this.#unsent.size));
    this.#openCount++;
    this.#open.add(request);
    this.#throughput.note(this.#openCount, false);
    this.#unsent.push(request);
  }

  /** An accepted request has ended; `wasAnswered`: by a node. */
  noteEnd(request: PendingRequest, wasAnswered: boolean): void {
    if (!this.#open.delete(request)) return;
    this.#openCount--;
    this.#throughput.note(this.#openCount, wasAnswered);
  }

  /** The sent request at a position of a batch, while the batch has waiters. */
  find(batch: string, index: number): PendingRequest | undefined {
    return this.#sent.get(batch)?.requests[index];
  }

  forgetAnswered(batch: SentBatch): void {
    this.#sent.forgetAnswered(batch);
  }

  /** Cancels a request without waiters: removes it before it is sent or from the queue, or tells the node that runs it. */
  cancel(request: PendingRequest): void {
    this.noteEnd(request, false);
    if (this.#unsent.remove(request) || !request.batch) return;
    void this.#cancel(request.batch, request).catch(() => undefined);
  }

  /** From now on a caller of the request wants progress. */
  wantProgress(request: PendingRequest): void {
    if (request.item.isListenedTo) return;
    request.item.isListenedTo = true;
    if (!request.batch) return;
    this.#progressWantedLate.add(request);
    publishProgressWish(this.#options.redis, request.item.id);
  }

  /** How many jobs wait and run in the queue, and how many requests are not sent yet. */
  async depths(): Promise<MetricSample[]> {
    const { name } = this.#options;
    const { wait, prioritized, active } = await this.#queue.getJobCounts('wait', 'prioritized', 'active');
    return [
      [wait + prioritized, { queue: name, state: 'waiting' }],
      [active, { queue: name, state: 'running' }],
      [this.#unsent.size, { queue: name, state: 'unsent' }],
    ];
  }

  /** Checks the batches that were sent at least `ageMs` ago: reads lost replies, and sends lost batches again. */
  async check(ageMs: number): Promise<void> {
    await this.#sent.check(ageMs);
  }

  /** Refuses and cancels all requests that are open. */
  async refuseAll(error: AppError): Promise<void> {
    const batches = this.#sent.all();
    const open = [...this.#unsent.clear(), ...batches.flatMap(({ requests }) => requests)];
    for (const request of open) this.#options.handlers.refuse(request, error);
    const cancels = batches.map(async (batch) => {
      for (const request of batch.requests) await this.#cancel(batch, request);
    });
    await Promise.allSettled(cancels);
  }

  /** Refuses and cancels all requests, and closes the queue. */
  async close(error: AppError): Promise<void> {
    await this.refuseAll(error);
    await this.#queue.close();
  }

  #sendTraced(requests: PendingRequest[]): Promise<void> {
    const [{ span }] = requests;
    return span ? span.run(() => this.#send(requests)) : this.#send(requests);
  }

  /** Answers the requests whose results are stored, and puts the others into the queue as one job. */
  async #send(requests: PendingRequest[]): Promise<void> {
    const { results, handlers, name } = this.#options;
    try {
      this.#depth.refresh();
      const stored = await results.read(requests.map(({ item }) => item.id));
      stored.forEach((text, n) => {
        if (text !== null) handlers.answer(requests[n], text, 'stored');
      });
      const rest = requests.filter(({ hasWaiters }) => hasWaiters);
      if (rest.length === 0) return;
      await this.#depth.take();
      await this.#add({ id: randomUUID(), queue: name, requests: rest, sentAt: performance.now() });
    } catch (error) {
      const isRefusal = error instanceof AppError;
      // Without Redis the unsent requests would wait for the same error.
      const refused = isRefusal ? requests : [...requests, ...this.#unsent.clear()];
      for (const request of refused) handlers.refuse(request, isRefusal ? error : redisUnavailable(error));
    }
  }

  async #add(batch: SentBatch): Promise<void> {
    const { gateway, name } = this.#options;
    const { id, requests } = batch;
    for (const request of requests) request.batch = batch;
    this.#sent.add(batch);
    const items = requests.map(({ item }) => item);
    const [{ owner }] = requests;
    const priority = queues[name].batchShare === 1 ? { priority: this.#sent.countOf(owner) } : {};
    await this.#queue.add(
      items[0].name,
      { gateway, engine: engineVersion, items },
      { jobId: id, ...priority },
    );
    // A request that was cancelled meanwhile could not be removed, because it was not in the queue yet.
    for (const request of requests) if (!request.hasWaiters) await this.#cancel(batch, request);
  }

  /** Tells the nodes that an item is cancelled, and removes a batch without waiters from the queue. */
  async #cancel(batch: SentBatch, request: PendingRequest): Promise<void> {
    const index = batch.requests.indexOf(request);
    if (this.#sent.forgetAnswered(batch)) {
      // A job that runs cannot be removed. Its node receives the message below.
      await this.#queue.remove(batch.id).catch(() => undefined);
    }
    await publishCancel(this.#options.redis, batch.id, index);
  }

  /** Tells the callers that want progress how long the queue before a batch is, or that it runs. */
  async #reportEarly({ id, requests }: SentBatch, isRunning: boolean): Promise<void> {
    const listened = requests.filter(({ awaitsProgress }) => awaitsProgress);
    if (listened.length === 0) return;
    const position = isRunning ? null : await queuePosition(this.#options.redis, this.#queue, id);
    const progress =
      position === null ? { phase: 'running', fraction: 0 } : { phase: 'queued', fraction: 0, position };
    for (const request of listened) request.reportEarly(progress);
  }

  /** A node that had not started the batch at the first message did not receive it. */
  #repeatProgressWishes({ requests }: SentBatch): void {
    for (const request of requests)
      if (this.#progressWantedLate.has(request)) publishProgressWish(this.#options.redis, request.item.id);
  }
}

/** The place of a job in its queue, 1 for the next to start; null if it does not wait there. */
async function queuePosition(
  redis: Redis,
  queue: Pick<Queue, 'toKey'>,
  jobId: string,
): Promise<number | null> {
  // Nodes take from the tail of the list first, then from the prioritized set.
  const [length, index, rank] = await Promise.all([
    redis.llen(queue.toKey('wait')),
    redis.lpos(queue.toKey('wait'), jobId),
    redis.zrank(queue.toKey('prioritized'), jobId),
  ]);
  if (index !== null) return length - index;
  return rank === null ? null : length + rank + 1;
}
