import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { queueNames, type QueueName } from '../../storage/cluster/queues.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { Span, Tracing } from '../../storage/process/tracing.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import { awaitRedis, connected, failFast, openRedis, patient } from '../../storage/servers/redis.js';
import { overLimit, type Answer, type Job } from '../job.js';
import type { RequestedJob } from './pending-request.js';
import { PendingRequests } from './pending-requests.js';
import { QueueClient } from './queue-client.js';
import { RecentAnswers } from './recent-answers.js';
import { ResultStore } from './result-store.js';
import { Waiter } from './waiter.js';
import { decodeReplies, itemId, replyChannel, type JobProgress, type Reply } from './wire.js';

export type { JobProgress } from './wire.js';

export interface JobClientOptions {
  /** The most jobs that may wait in one queue. Further requests are refused with `queue_full`. */
  depthLimit: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** The memory for recent results, in characters. Default: 16 million. */
  rememberedCharacters?: number;
}

export interface RunOptions {
  /** The id of the HTTP request, which logs of gateway and node repeat. */
  traceId: string;
  /** Whose request it is. Owners take turns: the first job of one goes before the second of another. */
  owner?: string;
  /** Aborted when the caller is gone. A job without callers is cancelled. Not read where the result is known already. */
  signal?: AbortSignal;
  /** A time limit shorter than that of the job. */
  timeoutMs?: number;
  /** Receives the progress a few times a second. Fractions never fall; the last is 1. */
  onProgress?: (progress: JobProgress) => void;
  /** Of several jobs: whether those that meet the time limit are left out, where at least one is done. */
  keepsDone?: boolean;
}

/** The answers that came within the time limit; throws any other error, and that of the limit where none did. */
async function doneOf<Result>(answers: readonly Promise<Answer<Result>>[]): Promise<Answer<Result>[]> {
  let late: AppError | undefined;
  const settled = await Promise.all(
    answers.map(async (answer) => {
      try {
        return [await answer];
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'time_limit') throw error;
        late = error;
        return [];
      }
    }),
  );
  const done = settled.flat();
  if (done.length === 0 && late) throw late;
  return done;
}

const checkMs = 1_000;
const defaultRememberedCharacters = 16_000_000;

/** The gateway's side of the queues: sends requests to nodes and gives the results to all callers. Equal requests are sent once. */
export class JobClient {
  readonly #redis: Redis;
  readonly #replies: ChannelListener;
  readonly #id = randomUUID();
  readonly #clients: ReadonlyMap<QueueName, QueueClient>;
  readonly #pending: PendingRequests;
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #checking: NodeJS.Timeout;
  readonly #clock: RedisClock;

  private constructor(redis: Redis, replies: Redis, options: JobClientOptions) {
    const { depthLimit, metrics, tracing, rememberedCharacters = defaultRememberedCharacters } = options;
    this.#metrics = metrics;
    this.#tracing = tracing;
    this.#redis = redis;
    this.#clock = new RedisClock(redis);
    const recent = new RecentAnswers(rememberedCharacters);
    this.#pending = new PendingRequests(recent, (queue) => this.#clients.get(queue)!);
    const shared = { redis, depthLimit, gateway: this.#id, handlers: this.#pending };
    const results = new ResultStore(redis, 0);
    this.#clients = new Map(queueNames.map((name) => [name, new QueueClient({ name, results, ...shared })]));
    this.#replies = new ChannelListener(replies, {
      channel: replyChannel(this.#id),
      onMessage: (message) => {
        for (const reply of decodeReplies(message)) this.#receive(reply);
      },
      onMissed: () => undefined,
    });
    metrics?.read('pendingRequests', () => [[this.waiterCount]]);
    metrics?.read('queueJobs', async () => {
      const depths = [...this.#clients.values()].map((client) => client.depths());
      return (await Promise.all(depths)).flat();
    });
    this.#checking = setInterval(() => this.#check(checkMs), checkMs).unref();
  }

  /** Connects, and resolves when jobs can be run. Throws what the connection throws. */
  static async open(redisUrl: string, options: JobClientOptions): Promise<JobClient> {
    const redis = openRedis(redisUrl, failFast, options.metrics, options.tracing);
    // A BullMQ queue asks for the server's version when it is created. When that fails, the queue never recovers.
    await connected(redis);
    const replies = openRedis(redisUrl, patient, options.metrics);
    const client = new JobClient(redis, replies, options);
    try {
      await awaitRedis(Promise.all([...client.#clients.values()].map((each) => each.ready())));
      await Promise.all([client.#clock.read(), client.#replies.subscribed]);
    } catch (error) {
      await client.close();
      throw error;
    }
    redis.on('ready', () => client.#check(0));
    return client;
  }

  /** The time by the clock of Redis, in ms since the epoch: the same for all gateways. */
  now(): number {
    return this.#clock.now();
  }

  /** How many calls wait for a result. */
  get waiterCount(): number {
    return this.#pending.waiterCount;
  }

  /**
   * Runs a job on some node, or takes a stored result. Throws the error of the job, `queue_full`, `redis_unavailable`,
   * `time_limit` when the limit (queue wait included) is over, or `cancelled`.
   */
  async run<Payload, Result>(
    job: Job<string, Payload, Result, never>,
    payload: Payload,
    options: RunOptions,
  ): Promise<Answer<Result>> {
    const id = itemId(job.name, payload);
    const known = this.#pending.recall(id);
    if (known === null) return this.#wait(id, job, payload, options);
    const span = this.#startSpan(job, options.traceId);
    span?.set({ 'tidemark.answered': 'stored' });
    span?.end();
    this.#metrics?.jobRequestEnded(job.name, 'stored');
    return known as Answer<Result>;
  }

  async #wait<Payload, Result>(
    id: string,
    job: Job<string, Payload, Result, never>,
    payload: Payload,
    { traceId, owner = '', signal, timeoutMs = job.timeoutMs, onProgress }: RunOptions,
  ): Promise<Answer<Result>> {
    const cancelled = () => new AppError('cancelled', `"${job.name}" was cancelled`);
    if (signal?.aborted) throw cancelled();
    const limitMs = Math.min(timeoutMs, job.timeoutMs);
    const started = performance.now();
    const waiter = new Waiter({
      deadline: this.#clock.now() + limitMs,
      limitMs,
      onProgress,
      span: this.#startSpan(job, traceId),
      onEnd: (outcome) => {
        this.#metrics?.jobRequestEnded(job.name, outcome);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      },
    });
    const giveUp = (error: AppError) => {
      waiter.settle(error, 'computed');
      this.#pending.leave(waiter, id);
    };
    const abort = () => giveUp(cancelled());
    const timer = setTimeout(() => giveUp(overLimit(job.name, limitMs)), limitMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#pending.join({ id, job, payload, traceId, owner }, waiter);
    const { result, text, timings } = await waiter.answer;
    const { run, ...stages } = timings;
    const queue = performance.now() - started - (run ?? 0);
    if (run !== undefined) this.#metrics?.jobRequestWaited(job.queue, queue);
    return { result: result as Result, text, timings: { queue, ...stages } };
  }

  #startSpan({ name, queue }: Pick<RequestedJob, 'name' | 'queue'>, traceId: string): Span | undefined {
    return this.#tracing?.start(`ask ${name}`, {
      kind: 'producer',
      attributes: { 'tidemark.job': name, 'tidemark.queue': queue, 'tidemark.request_id': traceId },
    });
  }

  /**
   * Runs a job for each payload, all at once. Results are in the order of the payloads, and `onProgress` receives the mean of
   * all. When one fails, throws its error and cancels the others. With `keepsDone`, those that meet the time limit are left out.
   */
  async runAll<Payload, Result>(
    job: Job<string, Payload, Result, never>,
    payloads: readonly Payload[],
    { signal, onProgress, keepsDone = false, ...options }: RunOptions,
  ): Promise<Answer<Result>[]> {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    // One listener for each payload is not a leak.
    setMaxListeners(0, either);
    const report = onProgress && combinedProgress(payloads.length, onProgress);
    try {
      const answers = payloads.map(async (each, n) => {
        const own = report ? { onProgress: (progress: JobProgress) => report(n, progress) } : {};
        const answer = await this.run(job, each, { ...options, ...own, signal: either });
        report?.(n, { phase: job.name, fraction: 1 });
        return answer;
      });
      return await (keepsDone ? doneOf(answers) : Promise.all(answers));
    } finally {
      failed.abort();
    }
  }

  /** Ends all calls that wait for a result with this error, and cancels their jobs. */
  async refuseAll(error: AppError): Promise<void> {
    const refused = [...this.#clients.values()].map((client) => client.refuseAll(error));
    this.#pending.refuseAll(error);
    await Promise.allSettled(refused);
  }

  async close(): Promise<void> {
    clearInterval(this.#checking);
    this.#clock.close();
    const closing = new AppError('cancelled', 'the gateway is closing');
    const closed = [...this.#clients.values()].map((client) => client.close(closing));
    this.#pending.refuseAll(closing);
    await Promise.allSettled(closed);
    this.#redis.disconnect();
    this.#replies.close();
  }

  #receive(reply: Reply): void {
    for (const client of this.#clients.values()) {
      const request = client.find(reply.batch, reply.index);
      if (request) return this.#pending.receive(reply, request);
    }
  }

  #check(ageMs: number): void {
    for (const client of this.#clients.values()) void client.check(ageMs);
  }
}

/**
 * Combines the progress of several requests: each call reports one of them, and `onProgress` receives the mean fraction. Until
 * one has begun, the first one stands for all.
 */
function combinedProgress(
  count: number,
  onProgress: (progress: JobProgress) => void,
): (n: number, progress: JobProgress) => void {
  const fractions = new Float64Array(count);
  let hasBegun = false;
  return (n, progress) => {
    const { phase, fraction } = progress;
    if (n === 0 && fraction === 0 && !hasBegun) onProgress(progress);
    if (fraction <= fractions[n]) return;
    hasBegun = true;
    fractions[n] = fraction;
    onProgress({ phase, fraction: fractions.reduce((sum, each) => sum + each, 0) / count });
  };
}
