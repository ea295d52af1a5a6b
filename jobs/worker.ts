import { Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Metrics } from '../storage/metrics.js';
import { measureRedis } from '../storage/round-trips.js';
import { traceFields, type Span, type Tracing } from '../storage/tracing.js';
import type { AnyJob } from './definitions/index.js';
import { ItemRunner, type Ended } from './item-runner.js';
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
  type Item,
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
  tracing?: Tracing | undefined;
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
  readonly #tracing: Tracing | undefined;
  /** What ends each running item, by `<batch> <index>`. */
  readonly #running = new Map<string, AbortController>();

  constructor({
    redis,
    jobs,
    tools,
    resultBytes,
    metrics,
    tracing,
    queues = queueNames,
    drainMs = longestDrainMs,
  }: WorkerOptions) {
    this.#queueRedis = redis;
    this.#drainMs = drainMs;
    this.#tracing = tracing;
    // Many small commands: those of one tick go out together.
    this.#redis = redis.duplicate({ enableAutoPipelining: true });
    this.#redis.on('error', () => undefined);
    if (metrics) measureRedis(this.#redis, metrics);
    this.#runner = new ItemRunner({
      jobs,
      tools,
      results: new ResultStore(this.#redis, resultBytes),
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
      return worker;
    });
    this.#cancels = redis.duplicate();
    this.#cancels.on('error', () => undefined);
    this.#cancels.on('message', (_channel, place: string) => this.#running.get(place)?.abort());
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

  async #process(queued: QueuedJob<Batch, Outcome[]>): Promise<Outcome[]> {
    const { data, attemptsStarted: attempt } = queued;
    const batch = queued.id!;
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
          const span = this.#startSpan(item, queued);
          const at = { batch, index };
          const place = span ? { ...at, trace: span.context } : at;
          const run = () =>
            this.#runner.run(item, {
              cancelled: controllers[index].signal,
              progress: (phase, fraction) =>
                reply(encodeReply({ ...at, kind: 'progress', progress: { phase, fraction } })),
              result: (timings) => ({ channel, head: resultHead(place, timings) }),
              facts: { id: batch, attempt, ...traceFields(span?.context ?? item.trace) },
            });
          const ended = await (span?.run(run) ?? run());
          span?.set({ 'tidemark.outcome': outcomeOf(ended) });
          span?.end('error' in ended ? ended.error.code : undefined);
          if (ended.told) return null;
          if ('text' in ended) reply(resultHead(place, ended.timings) + ended.text);
          else reply(encodeReply({ ...place, kind: 'error', error: ended.error }));
          return 'text' in ended ? null : { error: ended.error };
        }),
      );
    } finally {
      data.items.forEach((_, index) => this.#running.delete(`${batch} ${index}`));
    }
  }

  /** The span of a run: a part of the trace of whoever asked. */
  #startSpan(item: Item, queued: QueuedJob): Span | undefined {
    return this.#tracing?.start(`run ${item.name}`, {
      kind: 'consumer',
      parent: item.trace ?? null,
      attributes: {
        'tidemark.job': item.name,
        'tidemark.queue': queued.queueName,
        // By the clocks of two machines.
        'tidemark.queue_wait_ms': Math.max(0, Date.now() - queued.timestamp),
        'tidemark.attempt': queued.attemptsStarted,
        'tidemark.request_id': item.traceId,
      },
    });
  }
}

/** How a run ended: computed here, or shared with who computed it elsewhere, or by an error. */
function outcomeOf(ended: Ended): string {
  if ('error' in ended) return ended.error.code;
  return ended.told ? 'computed' : 'shared';
}
