import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Job as QueuedJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, errorFromData } from '../compute/model/errors.js';
import type { Answered, Metrics, Sample } from '../storage/metrics.js';
import { connected, failFast, openRedis, patient } from '../storage/redis.js';
import type { Span, TraceContext, Tracing } from '../storage/tracing.js';
import { overLimit, queueNames, queueShares, type Answer, type Job, type QueueName } from './job.js';
import { Lane } from './lane.js';
import { ResultStore } from './result-store.js';
import {
  cancelChannel,
  cancelledKey,
  decodeReply,
  itemId,
  replyChannel,
  type Batch,
  type Item,
  type Outcome,
  type Progress,
  type Timings,
} from './wire.js';

export interface QueueOptions {
  /** Jobs that may wait in one queue; one more is refused with `queue_full`. */
  depthLimit: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

export interface RunOptions {
  /** Follows the job through queue and thread into the logs. */
  traceId: string;
  /** Who asks: nobody's many jobs go before another's first. */
  owner?: string;
  /** Aborted when the caller waits no more; when nobody does, the job is cancelled. */
  signal?: AbortSignal;
  /** A time limit shorter than the job's own. */
  timeoutMs?: number;
  /** Hears how far the job has come. */
  onProgress?: (progress: Progress) => void;
}

/** How BullMQ keeps jobs that are done, for gateways that were not there to hear of it. */
export const retention = {
  removeOnComplete: { age: 120, count: 5_000 },
  removeOnFail: { age: 86_400, count: 500 },
};

type AnyJob = Pick<Job<string, unknown, unknown>, 'name' | 'queue' | 'timeoutMs' | 'share'>;

/** One who waits for an answer. */
interface Caller {
  deadline: number;
  limitMs: number;
  onProgress: RunOptions['onProgress'];
  /** Whether somebody asked the same before. */
  joined: boolean;
  /** The span of its question. */
  span: Span | undefined;
  /** `computation` is the span of the run that answered. */
  settle: (answer: Answer | AppError, found: Found, computation?: TraceContext) => void;
}

/** Where an answer was found. */
type Found = 'computed' | 'stored';

/** A question under way, and all who wait for its answer. */
interface Asked {
  job: AnyJob;
  item: Item;
  owner: string;
  share: number;
  callers: Set<Caller>;
  /** The span of the one who asked first. */
  span: Span | undefined;
  /** Where it lies once it was sent. */
  batch: SentBatch | null;
}

interface SentBatch {
  id: string;
  queue: QueueName;
  asked: Asked[];
  sentAt: number;
}

/** How many jobs wait in a queue, as counted at some time (ms) and as put in since. */
interface Depth {
  counting: Promise<void>;
  counted: number;
  at: number;
}

const countAgainMs = 50;
const lookAgainMs = 1_000;
const cancelledSeconds = 120;

/** A queue that sends batches one after the other lets the next one fill; one of single jobs need not wait. */
const underWay: Record<QueueName, number> = { analysis: 1, backtest: 64, scan: 4, signals: 1, market: 8 };

/**
 * The gateway's end of the queues: puts questions in, those of the same moment together, and hands the answers to whoever
 * waits. Equal questions are asked once.
 */
export class JobQueues {
  readonly #redis: Redis;
  readonly #replies: Redis;
  readonly #results: ResultStore;
  readonly #id = randomUUID();
  readonly #queues = new Map<
    QueueName,
    { queue: Queue<Batch, Outcome[]>; lane: Lane<Asked>; depth: Depth }
  >();
  readonly #asked = new Map<string, Asked>();
  readonly #sent = new Map<string, SentBatch>();
  readonly #depthLimit: number;
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #lookAgain: NodeJS.Timeout;

  private constructor(redis: Redis, replies: Redis, { depthLimit, metrics, tracing }: QueueOptions) {
    this.#depthLimit = depthLimit;
    this.#metrics = metrics;
    this.#tracing = tracing;
    this.#redis = redis;
    this.#replies = replies;
    this.#results = new ResultStore(redis, 0);
    for (const name of queueNames) this.#queues.set(name, this.#open(name));
    replies.on('message', (_channel, message: string) => this.#hear(message));
    metrics?.read('questionsOpen', () => [[this.#callers()]]);
    metrics?.read('queueJobs', () => this.#depths());
    this.#lookAgain = setInterval(() => void this.#catchUp(), lookAgainMs).unref();
  }

  /** Resolves when jobs can be put in and results heard of. */
  static async open(redisUrl: string, options: QueueOptions): Promise<JobQueues> {
    const redis = openRedis(redisUrl, failFast, options.metrics, options.tracing);
    // A queue asks the server for its version when it is made: without a connection it would never recover.
    await connected(redis);
    const replies = openRedis(redisUrl, patient, options.metrics);
    const queues = new JobQueues(redis, replies, options);
    await replies.subscribe(replyChannel(queues.#id));
    redis.on('ready', () => void queues.#catchUp(0));
    return queues;
  }

  /**
   * Runs a job on some compute node and waits for its result; a result that is there already is given at once. Throws
   * the job's own error, `queue_full`, `redis_unavailable`, `time_limit` when the limit (waiting included) is over, or
   * `cancelled`.
   */
  async run<Payload, Result>(
    job: Job<string, Payload, Result>,
    payload: Payload,
    { traceId, owner = '', signal, timeoutMs = job.timeoutMs, onProgress }: RunOptions,
  ): Promise<Answer<Result>> {
    const gone = new AppError('cancelled', `"${job.name}" was cancelled`);
    if (signal?.aborted) throw gone;
    const limitMs = Math.min(timeoutMs, job.timeoutMs);
    const asked = performance.now();
    const span = this.#tracing?.start(`ask ${job.name}`, {
      kind: 'producer',
      attributes: { 'tidemark.job': job.name, 'tidemark.queue': job.queue, 'tidemark.request_id': traceId },
    });
    const answer = await new Promise<Answer>((resolve, reject) => {
      const caller: Caller = {
        deadline: Date.now() + limitMs,
        limitMs,
        onProgress,
        joined: false,
        span,
        settle: (outcome, found, computation) => {
          const answered = howAnswered(outcome, caller.joined ? 'joined' : found);
          this.#metrics?.questionEnded(job.name, answered);
          // The run is a part of the first one's trace; it is pointed to from the others'.
          if (caller.joined && computation) span?.link(computation);
          span?.set({ 'tidemark.answered': answered });
          span?.end(outcome instanceof AppError ? outcome.code : undefined);
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          if (outcome instanceof AppError) reject(outcome);
          else resolve(outcome);
        },
      };
      const give = (error: AppError) => {
        caller.settle(error, 'computed');
        this.#leave(caller, id);
      };
      const leave = () => give(gone);
      const timer = setTimeout(() => give(overLimit(job.name, limitMs)), limitMs);
      signal?.addEventListener('abort', leave, { once: true });
      const id = this.#join(job, payload, caller, traceId, owner);
    });
    const { run, ...stages } = answer.timings;
    const queue = performance.now() - asked - (run ?? 0);
    if (run !== undefined) this.#metrics?.questionWaited(job.queue, queue);
    return { result: answer.result as Result, timings: { queue, ...stages } };
  }

  /**
   * Runs the same job for each payload, all at once, on whatever nodes there are; the answers come in the order of the
   * payloads. Throws the error of the first that fails, and cancels the others.
   */
  async runAll<Payload, Result>(
    job: Job<string, Payload, Result>,
    payloads: readonly Payload[],
    { signal, ...options }: RunOptions,
  ): Promise<Answer<Result>[]> {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    // Every payload listens: that is no leak.
    setMaxListeners(0, either);
    try {
      return await Promise.all(payloads.map((each) => this.run(job, each, { ...options, signal: either })));
    } finally {
      failed.abort();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#lookAgain);
    const closing = new AppError('cancelled', 'the gateway is closing');
    const sent = [...this.#sent.values()];
    for (const asked of this.#asked.values()) this.#settle(asked, closing);
    await Promise.allSettled(sent.map((batch) => this.#drop(batch)));
    await Promise.allSettled([...this.#queues.values()].map(({ queue }) => queue.close()));
    this.#redis.disconnect();
    this.#replies.disconnect();
  }

  #open(name: QueueName) {
    const queue = new Queue<Batch, Outcome[]>(name, {
      connection: this.#redis,
      skipWaitingForReady: true,
      defaultJobOptions: retention,
      // Nobody reads the events: answers come from the nodes themselves.
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', () => undefined);
    const lane = new Lane<Asked>((batch) => {
      const [{ span }] = batch;
      return span ? span.run(() => this.#send(name, batch)) : this.#send(name, batch);
    }, underWay[name]);
    return { queue, lane, depth: { counting: Promise.resolve(), counted: 0, at: 0 } };
  }

  #callers(): number {
    let count = 0;
    for (const { callers } of this.#asked.values()) count += callers.size;
    return count;
  }

  /** What waits and runs in each queue, and what has not been sent yet. */
  async #depths(): Promise<Sample[]> {
    const each = [...this.#queues].map(async ([name, { queue, lane }]): Promise<Sample[]> => {
      const { wait, prioritized, active } = await queue.getJobCounts('wait', 'prioritized', 'active');
      return [
        [wait + prioritized, { queue: name, state: 'waiting' }],
        [active, { queue: name, state: 'running' }],
        [lane.size, { queue: name, state: 'unsent' }],
      ];
    });
    return (await Promise.all(each)).flat();
  }

  /** Lets the caller wait for the answer to what it asks, which is asked if nobody has yet. */
  #join(job: AnyJob, payload: unknown, caller: Caller, traceId: string, owner: string): string {
    const id = itemId(job.name, payload);
    const known = this.#asked.get(id);
    caller.joined = known !== undefined;
    if (known) known.callers.add(caller);
    else {
      const { limitMs, deadline, span } = caller;
      const trace = span && { trace: span.context };
      const item: Item = { id, name: job.name, payload, limitMs, deadline, traceId, ...trace };
      this.#ask({
        job,
        item,
        owner,
        share: job.share ?? queueShares[job.queue],
        callers: new Set([caller]),
        span,
        batch: null,
      });
    }
    return id;
  }

  #ask(asked: Asked): void {
    const { lane, depth } = this.#queues.get(asked.job.queue)!;
    this.#asked.set(asked.item.id, asked);
    if (lane.size >= this.#depthLimit) this.#settle(asked, queueFull(lane.size + depth.counted));
    else lane.push(asked);
  }

  /** Takes a caller's interest away; the last one to leave cancels. */
  #leave(caller: Caller, id: string): void {
    const asked = this.#asked.get(id);
    if (!asked?.callers.delete(caller) || asked.callers.size > 0) return;
    this.#asked.delete(id);
    const { queue, lane } = this.#queues.get(asked.job.queue)!;
    if (lane.remove(asked) || !asked.batch) return;
    void this.#cancel(queue, asked.batch, asked).catch(() => undefined);
  }

  /** Tells the nodes that nobody waits for an item any more, and takes a batch out of which nobody waits for any. */
  async #cancel(queue: Queue, batch: SentBatch, asked: Asked): Promise<void> {
    const index = batch.asked.indexOf(asked);
    if (batch.asked.every(({ callers }) => callers.size === 0)) {
      this.#sent.delete(batch.id);
      // Removing fails while the job is running: then a node hears of it.
      await queue.remove(batch.id).catch(() => undefined);
    }
    const key = cancelledKey(batch.id);
    await this.#redis
      .multi()
      .sadd(key, index)
      .expire(key, cancelledSeconds)
      .publish(cancelChannel, `${batch.id} ${index}`)
      .exec();
  }

  /** Takes a batch that nobody waits for out of the queue, or has the node that runs it end it. */
  async #drop(batch: SentBatch): Promise<void> {
    const { queue } = this.#queues.get(batch.queue)!;
    for (const asked of batch.asked) await this.#cancel(queue, batch, asked);
  }

  /** Answers what is known, and puts the rest into the queue as one job. */
  async #send(name: QueueName, waiting: Asked[]): Promise<void> {
    const { queue, lane, depth } = this.#queues.get(name)!;
    try {
      const stored = await this.#results.read(waiting.map(({ item }) => item.id));
      stored.forEach((text, n) => text !== null && this.#settle(waiting[n], answerOf(text, {}), 'stored'));
      const asked = waiting.filter(({ callers }) => callers.size > 0);
      if (asked.length === 0) return;
      await this.#requireRoom(queue, depth);
      const batch: SentBatch = { id: randomUUID(), queue: name, asked, sentAt: Date.now() };
      await this.#add(batch);
    } catch (error) {
      if (error instanceof AppError) return this.#refuse(waiting, error);
      const details = { part: 'redis' };
      const away = new AppError('redis_unavailable', 'Redis is away; try again in a moment', {
        details,
        cause: error,
      });
      // Those behind it would each wait as long to hear the same.
      this.#refuse([...waiting, ...lane.clear()], away);
    }
  }

  #refuse(waiting: readonly Asked[], error: AppError): void {
    for (const asked of waiting) this.#settle(asked, error);
  }

  async #add(batch: SentBatch): Promise<void> {
    const { queue } = this.#queues.get(batch.queue)!;
    for (const asked of batch.asked) asked.batch = batch;
    this.#sent.set(batch.id, batch);
    const items = batch.asked.map(({ item }) => item);
    const priority = queueShares[batch.queue] === 1 ? { priority: this.#rank(batch) } : {};
    await queue.add(items[0].name, { gateway: this.#id, items }, { jobId: batch.id, ...priority });
    // Those who left meanwhile have found nothing to take out of the queue.
    for (const asked of batch.asked) if (asked.callers.size === 0) await this.#cancel(queue, batch, asked);
  }

  /** How many jobs of the same owner are under way: the first goes before another's second. */
  #rank({ asked: [first], queue }: SentBatch): number {
    let rank = 0;
    for (const batch of this.#sent.values())
      if (batch.queue === queue && batch.asked[0].owner === first.owner) rank++;
    return rank;
  }

  /** Throws `queue_full` when too many wait. Counting costs a round trip, so it is done now and then. */
  async #requireRoom(queue: Queue, depth: Depth): Promise<void> {
    if (Date.now() - depth.at > countAgainMs) {
      depth.at = Date.now();
      // One count for all who ask meanwhile: each of them adds to it.
      depth.counting = queue
        .getJobCountByTypes('wait', 'prioritized')
        .then((count) => void (depth.counted = count));
    }
    await depth.counting;
    if (depth.counted >= this.#depthLimit) throw queueFull(depth.counted);
    depth.counted++;
  }

  #hear(message: string): void {
    const reply = decodeReply(message);
    const asked = this.#sent.get(reply.batch)?.asked[reply.index];
    if (!asked) return;
    if (reply.kind === 'progress') for (const { onProgress } of asked.callers) onProgress?.(reply.progress);
    else if (reply.kind === 'error') this.#settle(asked, errorFromData(reply.error), 'computed', reply.trace);
    else this.#settle(asked, answerOf(reply.text, reply.timings), 'computed', reply.trace);
  }

  /** Hands out an answer, once. Callers whose own time is not over are not given the end of another's. */
  #settle(
    asked: Asked,
    outcome: Answer | AppError,
    found: Found = 'computed',
    computation = asked.item.trace,
  ): void {
    const { batch, callers, item } = asked;
    if (this.#asked.get(item.id) === asked) this.#asked.delete(item.id);
    const rest = new Set<Caller>();
    for (const caller of callers) {
      const late = outcome instanceof AppError && outcome.code === 'time_limit';
      if (late && caller.deadline > item.deadline) rest.add(caller);
      else caller.settle(outcome, found, computation);
    }
    callers.clear();
    if (batch?.asked.every((each) => each.callers.size === 0)) this.#sent.delete(batch.id);
    const [next] = rest;
    if (!next) return;
    const { limitMs, deadline, span } = next;
    const trace = span && { trace: span.context };
    this.#ask({ ...asked, item: { ...item, limitMs, deadline, ...trace }, callers: rest, span, batch: null });
  }

  /** Takes up answers whose message was lost, and puts in again what Redis has lost. */
  async #catchUp(afterMs = lookAgainMs): Promise<void> {
    const old = [...this.#sent.values()].filter(({ sentAt }) => Date.now() - sentAt >= afterMs);
    await Promise.allSettled(old.map((batch) => this.#lookAfter(batch)));
  }

  async #lookAfter(batch: SentBatch): Promise<void> {
    const { queue } = this.#queues.get(batch.queue)!;
    const stored = await QueuedJob.fromId<Batch, Outcome[]>(queue, batch.id);
    if (!this.#sent.has(batch.id)) return;
    if (!stored) return this.#add(batch);
    if (await stored.isFailed()) {
      const error = new AppError('unexpected', 'unexpected error', {
        cause: new Error(stored.failedReason),
      });
      for (const asked of batch.asked) this.#settle(asked, error);
    }
    if (!(await stored.isCompleted())) return;
    const results = await this.#results.read(batch.asked.map(({ item }) => item.id));
    batch.asked.forEach((asked, index) => {
      if (asked.callers.size === 0) return;
      const outcome = stored.returnvalue[index];
      const text = results[index];
      if (outcome) this.#settle(asked, errorFromData(outcome.error));
      else if (text !== null) this.#settle(asked, answerOf(text, {}));
      // It was computed, but the result is gone: it is asked once more.
      else this.#ask({ ...asked, callers: new Set(asked.callers), batch: null });
    });
    this.#sent.delete(batch.id);
  }
}

/** How a question ended, for the metrics. */
function howAnswered(outcome: Answer | AppError, found: Answered): Answered {
  if (!(outcome instanceof AppError)) return found;
  if (outcome.code === 'cancelled') return 'cancelled';
  return ['queue_full', 'redis_unavailable'].includes(outcome.code) ? 'refused' : 'failed';
}

const answerOf = (text: string, timings: Timings): Answer => ({
  result: JSON.parse(text) as unknown,
  timings,
});

const queueFull = (count: number) =>
  new AppError('queue_full', `${count} jobs wait already; try again in a moment`);
