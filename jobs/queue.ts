import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Job as QueuedJob, Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, errorFromData } from '../compute/model/errors.js';
import { connected, failFast, openRedis, patient } from '../storage/redis.js';
import { overLimit, queueNames, type Answer, type Envelope, type Job, type QueueName } from './job.js';

export interface QueueOptions {
  /** Jobs that may wait in one queue; one more is refused with `queue_full`. */
  depthLimit: number;
}

export interface RunOptions {
  /** Follows the job through queue and thread into the logs. */
  traceId: string;
  /** Aborted when nobody waits for the answer any more: the job is cancelled. */
  signal?: AbortSignal;
  /** A time limit shorter than the job's own. */
  timeoutMs?: number;
}

/** The channel on which compute nodes hear of jobs to be ended: a message is `<queue> <job id>`. */
export const cancelChannel = 'tidemark:cancel';

/** How jobs are kept by BullMQ: results travel in events, the rest is for operators and for lost connections. */
export const retention = {
  removeOnComplete: { age: 300, count: 200 },
  removeOnFail: { age: 86_400, count: 500 },
};

/** A caller that waits, and all it takes to ask again. */
interface Waiting {
  job: Pick<Job<string, unknown, unknown>, 'name' | 'queue'>;
  envelope: Envelope;
  promise: Promise<Answer>;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** How many jobs wait in a queue, as counted at some time (ms) and as put in since. */
interface Depth {
  counting: Promise<void>;
  counted: number;
  at: number;
}

const countAgainMs = 50;

/** The gateway's end of the queues: puts jobs in, and hands their results to whoever waits. */
export class JobQueues {
  readonly #redis: Redis;
  readonly #eventsRedis: Redis;
  readonly #queues = new Map<QueueName, { queue: Queue; events: QueueEvents; depth: Depth }>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #depthLimit: number;

  private constructor(redis: Redis, eventsRedis: Redis, { depthLimit }: QueueOptions) {
    this.#depthLimit = depthLimit;
    this.#redis = redis;
    this.#eventsRedis = eventsRedis;
    for (const name of queueNames) this.#queues.set(name, this.#open(name));
  }

  /** Resolves when jobs can be put in and results heard of. */
  static async open(redisUrl: string, options: QueueOptions): Promise<JobQueues> {
    const redis = openRedis(redisUrl, failFast);
    // A queue asks the server for its version when it is made: without a connection it would never recover.
    await connected(redis);
    const queues = new JobQueues(redis, openRedis(redisUrl, patient), options);
    await Promise.all([...queues.#queues.values()].map(({ events }) => events.waitUntilReady()));
    redis.on('ready', () => void queues.#catchUp().catch(() => undefined));
    return queues;
  }

  /**
   * Runs a job on some compute node and waits for its result. Throws the job's own error, `queue_full`,
   * `redis_unavailable`, `time_limit` when the limit (waiting included) is over, or `cancelled`.
   */
  async run<Payload, Result>(
    job: Job<string, Payload, Result>,
    payload: Payload,
    { traceId, signal, timeoutMs = job.timeoutMs }: RunOptions,
  ): Promise<Answer<Result>> {
    const gone = new AppError('cancelled', `"${job.name}" was cancelled`);
    if (signal?.aborted) throw gone;
    const id = randomUUID();
    const limitMs = Math.min(timeoutMs, job.timeoutMs);
    const envelope = { payload, limitMs, deadline: Date.now() + limitMs, traceId };
    const late = overLimit(job.name, limitMs);

    const asked = performance.now();
    const waiting = createWaiting(job, envelope);
    const end = (error: AppError) => {
      waiting.reject(error);
      void this.#cancel(job.queue, id);
    };
    const leave = () => end(gone);
    const timer = setTimeout(() => end(late), limitMs);
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.set(id, waiting);
    this.#add(id, waiting).catch(waiting.reject);
    try {
      const { result, timings } = await waiting.promise;
      const { run, ...stages } = timings;
      return { result: result as Result, timings: { queue: performance.now() - asked - run, ...stages } };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      this.#waiting.delete(id);
    }
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
    const closing = new AppError('cancelled', 'the gateway is closing');
    for (const waiting of this.#waiting.values()) waiting.reject(closing);
    const ends = [...this.#queues.values()].flatMap(({ queue, events }) => [queue.close(), events.close()]);
    await Promise.allSettled(ends);
    this.#redis.disconnect();
    this.#eventsRedis.disconnect();
  }

  #open(name: QueueName) {
    const queue = new Queue(name, {
      connection: this.#redis,
      skipWaitingForReady: true,
      defaultJobOptions: { ...retention, attempts: 2 },
      // A result travels in its event, so the stream is kept shorter than by default.
      streams: { events: { maxLen: 5_000 } },
    });
    const events = new QueueEvents(name, { connection: this.#eventsRedis });
    queue.on('error', () => undefined);
    events.on('error', () => undefined);
    events.on('completed', ({ jobId, returnvalue }: { jobId: string; returnvalue: unknown }) => {
      this.#waiting.get(jobId)?.resolve(returnvalue as Answer);
    });
    events.on('failed', ({ jobId, failedReason }) => this.#waiting.get(jobId)?.reject(failure(failedReason)));
    return { queue, events, depth: { counting: Promise.resolve(), counted: 0, at: 0 } };
  }

  async #add(id: string, { job, envelope }: Waiting): Promise<void> {
    const { queue, depth } = this.#queues.get(job.queue)!;
    try {
      await this.#requireRoom(queue, depth);
      if (!this.#waiting.has(id)) return;
      await queue.add(job.name, envelope, { jobId: id });
      // A caller that left meanwhile has found nothing to take out of the queue.
      if (!this.#waiting.has(id)) await this.#cancel(job.queue, id);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('redis_unavailable', 'Redis is away; try again in a moment', {
        details: { part: 'redis' },
        cause: error,
      });
    }
  }

  /** Throws `queue_full` when too many wait. Counting costs a round trip, so it is done now and then. */
  async #requireRoom(queue: Queue, depth: Depth): Promise<void> {
    if (Date.now() - depth.at > countAgainMs) {
      depth.at = Date.now();
      // One count for all who ask meanwhile: each of them adds to it.
      depth.counting = queue.getWaitingCount().then((count) => void (depth.counted = count));
    }
    await depth.counting;
    if (depth.counted >= this.#depthLimit) {
      throw new AppError('queue_full', `${depth.counted} jobs wait already; try again in a moment`);
    }
    depth.counted++;
  }

  /** After a lost connection: takes up results that came meanwhile, and puts in again what Redis has lost. */
  async #catchUp(): Promise<void> {
    for (const [id, waiting] of [...this.#waiting]) {
      const { queue } = this.#queues.get(waiting.job.queue)!;
      const stored = await QueuedJob.fromId<Envelope, Answer>(queue, id);
      if (!stored) await this.#add(id, waiting);
      else if (await stored.isCompleted()) waiting.resolve(stored.returnvalue);
      else if (await stored.isFailed()) waiting.reject(failure(stored.failedReason));
    }
  }

  /** Takes a job out of the queue, or has the node that runs it end it. Nobody waits for this. */
  async #cancel(name: QueueName, id: string): Promise<void> {
    const { queue } = this.#queues.get(name)!;
    // Removing fails while the job is running: then a node hears of it.
    await queue.remove(id).catch(() => undefined);
    await this.#redis.publish(cancelChannel, `${name} ${id}`).catch(() => undefined);
  }
}

function createWaiting(job: Waiting['job'], envelope: Envelope): Waiting {
  const waiting = { job, envelope } as Waiting;
  waiting.promise = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }));
  return waiting;
}

/** The error a compute node wrote into the reason of a failed job. */
function failure(reason: string): AppError {
  try {
    return errorFromData(JSON.parse(reason) as unknown);
  } catch {
    return new AppError('unexpected', 'unexpected error', { cause: reason });
  }
}
