import { UnrecoverableError, Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, errorToData } from '../compute/model/errors.js';
import { nameFailure } from '../storage/index.js';
import type { AnyJob } from './definitions/index.js';
import {
  overLimit,
  queueNames,
  type Answer,
  type Envelope,
  type JobTools,
  type QueueName,
  type Timings,
} from './job.js';
import { cancelChannel, retention } from './queue.js';

/** A node that died is noticed after lock and check at most: its job then runs elsewhere. */
const timing = { lockDuration: 5_000, stalledInterval: 2_500, maxStalledCount: 20 };

export interface WorkerOptions {
  redis: Redis;
  jobs: readonly AnyJob[];
  tools: JobTools;
}

/** Takes jobs from every queue and runs them, as many at a time as the pool has threads. */
export class JobWorker {
  readonly #workers = new Map<QueueName, Worker<Envelope, Answer>>();
  readonly #cancels: Redis;
  readonly #options: WorkerOptions;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { redis, tools } = options;
    for (const name of queueNames) {
      const worker = new Worker<Envelope, Answer>(
        name,
        // BullMQ hands over a signal only to a function that declares three parameters.
        (queued, _token, signal) => this.#process(queued, signal),
        { connection: redis, concurrency: tools.pool.threads, ...retention, ...timing },
      );
      worker.on('error', (error) => tools.log.debug({ err: error, queue: name }, 'queue'));
      this.#workers.set(name, worker);
    }
    this.#cancels = redis.duplicate();
    this.#cancels.on('error', () => undefined);
    this.#cancels.on('message', (_channel, message) => {
      const [name, id] = message.split(' ');
      this.#workers.get(name as QueueName)?.cancelJob(id, 'cancelled');
    });
  }

  /** Resolves when jobs are being taken. */
  async ready(): Promise<void> {
    await this.#cancels.subscribe(cancelChannel);
    await Promise.all([...this.#workers.values()].map((worker) => worker.waitUntilReady()));
  }

  /** Takes no more jobs, and resolves when those running are done. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
    this.#cancels.disconnect();
  }

  async #process(queued: QueuedJob<Envelope, Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    const { log } = this.#options.tools;
    const { traceId } = queued.data;
    const started = performance.now();
    const facts = { job: queued.name, id: queued.id, traceId, attempt: queued.attemptsStarted };
    const limit = limitTime(queued, signal);
    const ms = () => Math.round((performance.now() - started) * 100) / 100;
    try {
      const answer = await this.#run(queued, limit.signal);
      log.info({ ...facts, ms: ms(), timings: answer.timings }, 'job done');
      return answer;
    } catch (error) {
      const named = nameFailure(error);
      const data = errorToData(named);
      const fault = !(named instanceof AppError) || named.kind === 'bug';
      log[fault ? 'error' : 'info']({ ...facts, ms: ms(), code: data.code, err: named }, 'job failed');
      const reason = JSON.stringify(data);
      // A thread may die of what another task did to it: such a job gets a second try, any other error is final.
      throw data.code === 'thread_failed' ? new Error(reason) : new UnrecoverableError(reason);
    } finally {
      limit.clear();
    }
  }

  async #run(queued: QueuedJob<Envelope, Answer>, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const job = this.#options.jobs.find(({ name }) => name === queued.name);
    if (!job) throw new AppError('unexpected', `there is no job "${queued.name}"`);
    const checked = job.payload.validate(queued.data.payload, { convert: false });
    if (checked.error) throw new AppError('invalid_input', `job "${job.name}": ${checked.error.message}`);
    const timings: Timings = {};
    const started = performance.now();
    const result = await job.run(checked.value, this.#options.tools, signal, timings);
    timings.run = performance.now() - started;
    return { result, timings };
  }
}

/** A signal that aborts with an AppError as its reason: at the deadline, or when the job is cancelled. */
function limitTime(
  { name, data }: QueuedJob<Envelope, Answer>,
  cancelled: AbortSignal | undefined,
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const late = () => controller.abort(overLimit(name, data.limitMs));
  const leave = () => controller.abort(new AppError('cancelled', `"${name}" was cancelled`));
  const remaining = data.deadline - Date.now();
  const timer = setTimeout(late, Math.max(0, remaining));
  if (remaining <= 0) late();
  if (cancelled?.aborted) leave();
  else cancelled?.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      cancelled?.removeEventListener('abort', leave);
    },
  };
}
