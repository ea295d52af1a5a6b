import { DelayedError, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { DeadLetters, type JobFailure } from '../../../storage/cluster/dead-letters.js';
import { scheduleQueueName } from '../../../storage/cluster/queues.js';
import { ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import type { PausableWorker } from '../../../storage/servers/mongo-watch.js';
import { checkStalled, takeover } from '../../node/stalled-jobs.js';
import { recordFailure, runSchedule, type ScheduleExecution } from './run-schedule.js';
import type { Schedule, ScheduleTools } from './schedule.js';
import { runTries, ScheduleQueue, type QueuedRun, type RunData } from './schedule-queue.js';
import { errorToData } from '../../../compute/model/errors.js';
import { nodeName } from '../../../storage/cluster/nodes.js';
import { mapStorageError } from '../../../storage/index.js';
import { isBug, letterId, stackOf } from '../../node/failure.js';
import type { Lease } from '../../../storage/servers/lease.js';
import { Leases } from '../../../storage/servers/leases.js';
import { RedisLeaseStore } from '../../../storage/servers/redis-lease-store.js';

const times = { leaseMs: 5_000, renewMs: 1_500 };

/**
 * The lease of a schedule for one of its runs; null while another run of it is under way. A worker that continues a run
 * which another worker has lost takes the lease over, and the signal of the other one is aborted.
 */
export const takeScheduleLease = (redis: Redis, name: string, jobId: string): Promise<Lease | null> =>
  new Leases(new RedisLeaseStore(redis, 'tidemark:schedule-turn:'), times).take(name, jobId);

const defaultRestoreMs = 30_000;
const defaultGiveBackMs = 5_000;
const longestGivenBackMs = 3_600_000;

/** The most schedules that run at a time on one worker, so that the database stays fast for requests. */
const concurrency = 2;

export interface ScheduleWorkerOptions {
  /** A patient connection. */
  redis: Redis;
  /** The connection whose pulse carries the checks for stalled runs. Default: `redis`. */
  pulsed?: Redis;
  schedules: readonly Schedule[];
  tools: Omit<ScheduleTools, 'lease' | 'scheduleNames'>;
  /** How long after a failure a run is tried again, and one of an unknown schedule is looked at again. Default: 5 s. */
  retryMs?: number;
  /** How often the worker checks that Redis still has the schedules. Default: 30 s. */
  restoreMs?: number;
}

/** Runs the schedules. Each run is taken by one worker, and by another one if that one dies. */
export class ScheduleWorker {
  readonly #tools: Omit<ScheduleTools, 'lease'>;
  readonly #redis: Redis;
  readonly #byName: ReadonlyMap<string, Schedule>;
  readonly #queue: ScheduleQueue;
  readonly #worker: Worker<RunData, string>;
  readonly #runs: ScheduleRuns;
  readonly #deadLetters: DeadLetters;
  readonly #closing = new AbortController();
  readonly #restoreMs: number;
  readonly #giveBackMs: number;
  readonly #endChecks: () => Promise<void>;
  #restoring: NodeJS.Timeout | undefined;
  #running = 0;

  constructor(options: ScheduleWorkerOptions) {
    const { redis, pulsed = redis, schedules, tools, retryMs, restoreMs = defaultRestoreMs } = options;
    this.#restoreMs = restoreMs;
    this.#giveBackMs = retryMs ?? defaultGiveBackMs;
    this.#tools = { ...tools, scheduleNames: schedules.map(({ name }) => name) };
    this.#redis = redis;
    this.#byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    this.#queue = new ScheduleQueue(redis, retryMs);
    this.#runs = new ScheduleRuns(redis);
    this.#deadLetters = new DeadLetters(redis);
    this.#worker = new Worker<RunData, string>(
      scheduleQueueName,
      (queued, token) => this.#process(queued, token),
      { connection: redis, concurrency, autorun: false, ...takeover },
    );
    this.#worker.on('error', (error) => tools.log.debug({ err: error }, 'schedules'));
    this.#worker.on('failed', (queued, error) => this.#keepFailure(queued, error));
    this.#endChecks = checkStalled(pulsed, [this.#worker]);
  }

  /** What takes the runs. */
  get workers(): readonly PausableWorker[] {
    return [this.#worker];
  }

  /** How many schedules run here. */
  get running(): number {
    return this.#running;
  }

  /** Sets the schedules up and starts to take runs. When Redis loses the schedules, they are set up again. */
  async start(): Promise<void> {
    const schedules = [...this.#byName.values()];
    await this.#queue.offer(schedules);
    let restoring: Promise<void> | null = null;
    // One at a time: otherwise calls pile up while Redis does not answer, and each would start the schedules that it finds missing.
    const restore = () => {
      restoring ??= this.#queue
        .restore(schedules)
        .catch(() => undefined)
        .finally(() => (restoring = null));
    };
    this.#restoring = setInterval(restore, this.#restoreMs).unref();
    await this.#worker.waitUntilReady();
    this.#worker.run().catch((error: unknown) => this.#tools.log.error({ err: error }, 'schedules ended'));
  }

  /** Gives running schedules back to the queue. Another worker takes them, or this one when it is started again. */
  async close(): Promise<void> {
    clearInterval(this.#restoring);
    void this.#endChecks();
    this.#closing.abort();
    await this.#worker.close();
    await this.#queue.close();
  }

  async #process(queued: QueuedRun, token?: string): Promise<string> {
    const schedule = this.#byName.get(queued.name);
    if (!schedule) return this.#giveBack(queued, token);
    const attempt = queued.attemptsStarted - (queued.data.interrupted ?? 0);
    const lease = await takeScheduleLease(this.#redis, schedule.name, queued.id!);
    if (!lease) return 'another run of it is under way';
    this.#running++;
    try {
      const execution = {
        schedule,
        queued,
        attempt,
        lease,
        tools: this.#tools,
        runs: this.#runs,
        closing: this.#closing.signal,
      };
      if (attempt > runTries) return await this.#giveUp(execution);
      return await runSchedule(execution);
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
      await queued.updateData({ ...queued.data, interrupted: (queued.data.interrupted ?? 0) + 1 });
      await queued.moveToWait(token);
      throw new WaitingError();
    } finally {
      this.#running--;
      await lease.release();
    }
  }

  /** Leaves the run of a schedule that this version does not know to other workers, for an hour at most. */
  async #giveBack(queued: QueuedRun, token?: string): Promise<string> {
    const { interrupted = 0, givenBackAt = Date.now() } = queued.data;
    if (Date.now() - givenBackAt > longestGivenBackMs) return 'known to no worker';
    await queued.updateData({ ...queued.data, givenBackAt, interrupted: interrupted + 1 });
    await queued.moveToDelayed(Date.now() + this.#giveBackMs, token);
    throw new DelayedError();
  }

  /** Records that the run has failed, and throws: no worker that started it has ended it. */
  async #giveUp(execution: ScheduleExecution): Promise<never> {
    const note = `it was started ${runTries} times and did not end: it may end its worker`;
    await recordFailure(execution, note);
    throw new UnrecoverableError(note);
  }

  #keepFailure(queued: QueuedRun | undefined, error: Error): void {
    const failure = queued && scheduleFailureOf(queued, error);
    if (failure) this.#deadLetters.add(failure).catch(() => undefined);
  }
}

/** The failure of a schedule run to keep for operators; null when the run is tried again, or the failure is not a bug. */
function scheduleFailureOf(queued: QueuedRun, error: Error): JobFailure | null {
  const isLast = queued.attemptsMade >= runTries || error instanceof UnrecoverableError;
  const named = mapStorageError(error);
  if (!isLast || !isBug(named)) return null;
  return {
    id: letterId(`schedule ${queued.name}`),
    queue: scheduleQueueName,
    name: queued.name,
    payload: {},
    error: { code: errorToData(named).code, message: error.message, stack: stackOf(error) },
    traceId: queued.id!,
    attempts: queued.attemptsStarted,
    node: nodeName(),
  };
}
