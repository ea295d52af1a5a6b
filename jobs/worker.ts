import { Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError } from '../compute/model/errors.js';
import { DeadLetters, type Failure } from '../storage/dead-letters.js';
import type { Metrics } from '../storage/metrics.js';
import { measureRedis } from '../storage/round-trips.js';
import type { AnyJob } from './definitions/index.js';
import { failureOf } from './failure.js';
import { ItemRunner } from './item-runner.js';
import { poolOf, queueNames, queueShares, type NodeTools, type QueueName } from './job.js';
import { retention } from './queue.js';
import { ResultStore } from './result-store.js';
import {
  cancelChannel,
  cancelledKey,
  encodeReply,
  replyChannel,
  resultHead,
  type Batch,
  type Outcome,
} from './wire.js';

/** A node that died is noticed after the lock and two checks at most: its job then runs elsewhere within 8 s. */
const timing = { lockDuration: 5_000, stalledInterval: 1_000, maxStalledCount: 20 };

/** How long running work may take to end when the node is closed; what is left then runs elsewhere. */
const longestDrainMs = 25_000;

export interface WorkerOptions {
  redis: Redis;
  jobs: readonly AnyJob[];
  tools: NodeTools;
  /** Results are kept in Redis up to so many bytes. */
  resultBytes: number;
  metrics?: Metrics | undefined;
  /** The queues it takes from; default: all. */
  queues?: readonly QueueName[];
  /** How long running work may take to end when the node is closed; default: 25 s. */
  drainMs?: number;
}

/** Takes batches from the queues, runs their items, and answers the gateways that asked. */
export class JobWorker {
  readonly #workers: Worker<Batch, Outcome[]>[];
  readonly #queueRedis: Redis;
  readonly #redis: Redis;
  readonly #drainMs: number;
  readonly #cancels: Redis;
  readonly #runner: ItemRunner;
  /** What ends each running item, by `<batch> <index>`. */
  readonly #running = new Map<string, AbortController>();

  constructor({
    redis,
    jobs,
    tools,
    resultBytes,
    metrics,
    queues = queueNames,
    drainMs = longestDrainMs,
  }: WorkerOptions) {
    this.#queueRedis = redis;
    this.#drainMs = drainMs;
    // Many small commands: those of one tick go out together.
    this.#redis = redis.duplicate({ enableAutoPipelining: true });
    this.#redis.on('error', () => undefined);
    if (metrics) measureRedis(this.#redis, metrics);
    const deadLetters = new DeadLetters(this.#redis);
    this.#runner = new ItemRunner({
      jobs,
      tools,
      results: new ResultStore(this.#redis, resultBytes),
      deadLetters,
      metrics,
    });
    this.#workers = queues.map((name) => {
      const worker = new Worker<Batch, Outcome[]>(name, (queued) => this.#process(queued), {
        connection: redis,
        // A job of many small items keeps few threads busy at its end: the next one is under way by then.
        concurrency: tools.pools[poolOf[name]].threads * (queueShares[name] === 1 ? 1 : 2),
        ...retention,
        ...timing,
      });
      worker.on('error', (error) => tools.log.debug({ err: error, queue: name }, 'queue'));
      worker.on('failed', (queued, error) => {
        for (const failure of batchFailures(name, queued, error))
          deadLetters.add(failure).catch(() => undefined);
      });
      return worker;
    });
    this.#cancels = redis.duplicate();
    this.#cancels.on('error', () => undefined);
    this.#cancels.on('message', (_channel, place: string) => this.#running.get(place)?.abort());
  }

  /** How many questions it has in hand. */
  get running(): number {
    return this.#running.size;
  }

  /** Resolves when jobs are being taken. */
  async ready(): Promise<void> {
    await this.#cancels.subscribe(cancelChannel);
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()));
  }

  /** Takes no more jobs, and resolves when those running are done, or after 25 s: what still runs then runs elsewhere. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#drainMs);
    });
    const closed = Promise.all(this.#workers.map((worker) => worker.close())).then(() => true);
    const isDone = await Promise.race([closed, tooLong]);
    clearTimeout(timer);
    if (!isDone) {
      // Cut off, it can say nothing any more: its locks run out, and another node takes over what it had.
      closed.catch(() => undefined);
      this.#queueRedis.disconnect();
    }
    this.#runner.close();
    this.#cancels.disconnect();
    this.#redis.disconnect();
  }

  async #process({ id, data, attemptsStarted }: QueuedJob<Batch, Outcome[]>): Promise<Outcome[]> {
    const batch = id!;
    const controllers = data.items.map((_, index) => {
      const controller = new AbortController();
      this.#running.set(`${batch} ${index}`, controller);
      return controller;
    });
    try {
      // Asked after this node can hear of it: a word said before or after is heard either way.
      for (const index of await this.#redis.smembers(cancelledKey(batch)))
        controllers[Number(index)]?.abort();
      const channel = replyChannel(data.gateway);
      const reply = (message: string) =>
        // A gateway that does not hear it finds the outcome in the queue.
        void this.#redis.publish(channel, message).catch(() => undefined);
      return await Promise.all(
        data.items.map(async (item, index): Promise<Outcome> => {
          const place = { batch, index };
          const ended = await this.#runner.run(item, {
            cancelled: controllers[index].signal,
            progress: (phase, fraction) =>
              reply(encodeReply({ ...place, kind: 'progress', progress: { phase, fraction } })),
            result: (timings) => ({ channel, head: resultHead(batch, index, timings) }),
            facts: { id: batch, attempt: attemptsStarted },
          });
          if (ended.told) return null;
          if ('text' in ended) reply(resultHead(batch, index, ended.timings) + ended.text);
          else reply(encodeReply({ ...place, kind: 'error', error: ended.error }));
          return 'text' in ended ? null : { error: ended.error };
        }),
      );
    } finally {
      data.items.forEach((_, index) => this.#running.delete(`${batch} ${index}`));
    }
  }
}

/** What failed as a whole, as no batch does that can say how its items ended: every item of it. */
function batchFailures(queue: QueueName, queued: QueuedJob<Batch> | undefined, cause: Error): Failure[] {
  if (!queued) return [];
  const error = new AppError('unexpected', `the job failed as a whole: ${cause.message}`, { cause });
  const { attemptsStarted: starts, data } = queued;
  return data.items.flatMap((item) => failureOf({ item, error, starts, tries: 0 }, queue) ?? []);
}
