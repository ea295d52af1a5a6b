import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { Span, Tracing } from '../../storage/process/tracing.js';
import { redisUrls } from '../../storage/servers/redis-url.js';
import { overLimit, type Answer, type Job } from '../job.js';
import type { RequestedJob } from './pending-request.js';
import { PendingRequests } from './pending-requests.js';
import { RecentAnswers } from './recent-answers.js';
import { placeOf, RequestServer } from './request-server.js';
import { Waiter } from './waiter.js';
import { itemId, type JobProgress } from './wire.js';

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
  /** At least one. */
  readonly #servers: RequestServer[] = [];
  readonly #pending: PendingRequests;
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #checking: NodeJS.Timeout;

  private constructor({
    metrics,
    tracing,
    rememberedCharacters = defaultRememberedCharacters,
  }: JobClientOptions) {
    this.#metrics = metrics;
    this.#tracing = tracing;
    const recent = new RecentAnswers(rememberedCharacters);
    this.#pending = new PendingRequests(recent, ({ item, job }) =>
      this.#serverOf(item.id, job).client(job.queue),
    );
    metrics?.read('pendingRequests', () => [[this.waiterCount]]);
    metrics?.read('queueJobs', async () =>
      (await Promise.all(this.#servers.map((server) => server.depths()))).flat(),
    );
    this.#checking = setInterval(() => {
      for (const server of this.#servers) server.check(checkMs);
    }, checkMs).unref();
  }

  /** Connects to the Redis, or to each of several, and resolves when jobs can be run. Throws what the connection throws. */
  static async open(redisUrl: string, options: JobClientOptions): Promise<JobClient> {
    const client = new JobClient(options);
    const shared = { ...options, gateway: randomUUID(), handlers: client.#pending };
    try {
      for (const url of redisUrls(redisUrl)) client.#servers.push(await RequestServer.open(url, shared));
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** The connections to the Redis after the first, which hold nothing but requests. */
  get others(): Redis[] {
    return this.#servers.slice(1).map(({ redis }) => redis);
  }

  /** The time by the clock of Redis, in ms since the epoch: the same for all gateways. */
  now(): number {
    return this.#servers[0].clock.now();
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
      deadline: this.#serverOf(id, job).clock.now() + limitMs,
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
    const refused = this.#servers.map((server) => server.refuseAll(error));
    this.#pending.refuseAll(error);
    await Promise.all(refused);
  }

  async close(): Promise<void> {
    clearInterval(this.#checking);
    const closing = new AppError('cancelled', 'the gateway is closing');
    const closed = this.#servers.map((server) => server.close(closing));
    this.#pending.refuseAll(closing);
    await Promise.all(closed);
  }

  #serverOf(id: string, { queue }: Pick<RequestedJob, 'queue'>): RequestServer {
    return this.#servers[placeOf(id, queue, this.#servers.length)];
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
