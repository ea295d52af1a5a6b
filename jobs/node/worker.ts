import { Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { DeadLetters, type JobFailure } from '../../storage/cluster/dead-letters.js';
import type { Metrics } from '../../storage/process/metrics.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import { measureRedis } from '../../storage/process/round-trips.js';
import { traceFields, type Span, type Tracing } from '../../storage/process/tracing.js';
import type { AnyJob } from '../definitions/index.js';
import { failureOf } from './failure.js';
import { ItemRunner, outcomes, type Asking } from './item-runner.js';
import { computeQueues, type JobTools, type NodeTools, type QueueName } from '../job.js';
import { ResultStore, type Asker } from '../requests/result-store.js';
import { retention } from '../requests/retention.js';
import { nameOf, RunningItems, type RunningItem } from './running-items.js';
import { takeover } from './takeover.js';
import {
  cancelChannel,
  cancelledKey,
  encodeReply,
  encodeResult,
  listenChannel,
  replyChannel,
  type Batch,
  type Item,
  type Outcome,
} from '../requests/wire.js';

/** How long running work may take to end when the node is closed; what is left then runs elsewhere. */
const longestDrainMs = 25_000;

export interface WorkerOptions<Tools> {
  redis: Redis;
  jobs: readonly AnyJob<Tools>[];
  tools: NodeTools<Tools>;
  /** Results are kept in Redis up to so many bytes. */
  resultBytes: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** The queues it takes from; default: those of compute nodes. */
  queues?: readonly QueueName[];
  /** How long running work may take to end when the node is closed; default: 25 s. */
  drainMs?: number;
}

/** Takes batches from the queues, runs their items, and answers the gateways that asked. */
export class JobWorker<Tools = JobTools> {
  readonly #workers: Worker<Batch, Outcome[]>[];
  readonly #queueRedis: Redis;
  readonly #redis: Redis;
  readonly #drainMs: number;
  readonly #words: Redis;
  readonly #results: ResultStore;
  readonly #runner: ItemRunner<Tools>;
  readonly #clock: RedisClock;
  readonly #clockRead: Promise<void>;
  readonly #tracing: Tracing | undefined;
  readonly #running = new RunningItems();

  constructor({
    redis,
    jobs,
    tools,
    resultBytes,
    metrics,
    tracing,
    queues = computeQueues,
    drainMs = longestDrainMs,
  }: WorkerOptions<Tools>) {
    this.#queueRedis = redis;
    this.#drainMs = drainMs;
    this.#tracing = tracing;
    // Many small commands: those of one tick go out together.
    this.#redis = redis.duplicate({ enableAutoPipelining: true });
    this.#redis.on('error', () => undefined);
    if (metrics) measureRedis(this.#redis, metrics);
    this.#results = new ResultStore(this.#redis, resultBytes);
    const deadLetters = new DeadLetters(this.#redis);
    this.#clock = new RedisClock(this.#redis);
    this.#clockRead = this.#clock.read();
    const now = () => this.#clock.now();
    this.#runner = new ItemRunner({ jobs, tools, results: this.#results, deadLetters, metrics, now });
    this.#workers = queues.map((name) => {
      const worker = new Worker<Batch, Outcome[]>(name, (queued) => this.#process(queued), {
        connection: redis,
        concurrency: tools.atOnce(name),
        ...retention,
        ...takeover,
      });
      worker.on('error', (error) => tools.log.debug({ err: error, queue: name }, 'queue'));
      worker.on('failed', (queued, error) => {
        for (const failure of batchFailures(name, queued, error))
          deadLetters.add(failure).catch(() => undefined);
      });
      return worker;
    });
    this.#words = redis.duplicate();
    this.#words.on('error', () => undefined);
    this.#words.on('message', (channel, word: string) =>
      channel === cancelChannel ? this.#running.cancel(word) : this.#running.listen(word),
    );
  }

  /** How many questions it has in hand. */
  get running(): number {
    return this.#running.size;
  }

  /** Resolves when jobs are being taken. */
  async ready(): Promise<void> {
    await this.#words.subscribe(cancelChannel, listenChannel);
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
    this.#clock.close();
    this.#words.disconnect();
    this.#redis.disconnect();
  }

  async #process(queued: QueuedJob<Batch, Outcome[]>): Promise<Outcome[]> {
    const batch = queued.id!;
    const { gateway, items } = queued.data;
    const running = items.map((item, index) => this.#running.start({ batch, index }, item));
    try {
      await this.#clockRead;
      // Asked after this node can hear of it: a word said before or after is heard either way.
      for (const index of await this.#redis.smembers(cancelledKey(batch)))
        this.#running.cancel(nameOf({ batch, index: Number(index) }));
      const channel = replyChannel(gateway);
      return await Promise.all(
        items.map((item, index) => {
          const span = this.#startSpan(item, queued);
          const trace = span?.context;
          const facts = { id: batch, attempt: queued.attemptsStarted, ...traceFields(trace ?? item.trace) };
          const place = trace ? { batch, index, trace } : { batch, index };
          return this.#answer(item, running[index], { channel, place }, { facts, span });
        }),
      );
    } finally {
      running.forEach((each, index) => this.#running.stop({ batch, index }, each));
    }
  }

  async #answer(
    item: Item,
    running: RunningItem,
    asker: Asker,
    { facts, span }: { facts: Asking['facts']; span: Span | undefined },
  ): Promise<Outcome> {
    const { channel, place } = asker;
    const reply = (message: string) =>
      // A gateway that does not hear it finds the outcome in the queue.
      void this.#redis.publish(channel, message).catch(() => undefined);
    const progress = (phase: string, fraction: number) => {
      if (!running.isListenedTo) return;
      const { batch, index } = place;
      reply(encodeReply({ batch, index, kind: 'progress', progress: { phase, fraction } }));
      this.#results.tell(item.id, { phase, fraction }).catch(() => undefined);
    };
    const run = () => this.#runner.run(item, { end: running.end, progress, asker, facts });
    const ended = await (span ? span.run(run) : run());
    span?.set({ 'tidemark.outcome': ended.kind === 'error' ? ended.error.code : outcomes[ended.kind] });
    span?.end(ended.kind === 'error' ? ended.error.code : undefined);
    if (ended.kind === 'elsewhere' && item.isListenedTo)
      void this.#redis.publish(listenChannel, item.id).catch(() => undefined);
    if (ended.kind === 'result') reply(encodeResult(place, ended.timings, ended.text));
    if (ended.kind !== 'error') return ended.kind === 'elsewhere' ? 'elsewhere' : null;
    const { error } = ended;
    reply(encodeReply({ ...place, kind: 'error', error }));
    return { error };
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

/** What failed as a whole, as no batch does that can say how its items ended: every item of it. */
function batchFailures(queue: QueueName, queued: QueuedJob<Batch> | undefined, cause: Error): JobFailure[] {
  if (!queued) return [];
  const error = new AppError('unexpected', `the job failed as a whole: ${cause.message}`, { cause });
  const { attemptsStarted: starts, data } = queued;
  return data.items.flatMap((item) => failureOf({ item, error, starts, tries: 0 }, queue) ?? []);
}
