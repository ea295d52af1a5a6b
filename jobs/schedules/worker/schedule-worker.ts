import { UnrecoverableError, WaitingError, Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, errorToData } from '../../../compute/model/errors.js';
import { DeadLetters } from '../../../storage/cluster/dead-letters.js';
import { mapStorageError } from '../../../storage/index.js';
import { nodeName } from '../../../storage/cluster/nodes.js';
import { scheduleQueueName } from '../../../storage/cluster/queues.js';
import { ScheduleRuns, type ScheduleRun } from '../../../storage/cluster/schedule-runs.js';
import { letterId, stackOf } from '../../node/failure.js';
import { overLimit } from '../../job.js';
import type { Schedule, ScheduleTools } from './schedule.js';
import { dueAt, runTries, ScheduleQueue, type RunData } from './schedule-queue.js';
import { takeScheduleLease } from './schedule-lease.js';
import { takeover } from '../../node/takeover.js';

const usualRestoreMs = 30_000;

/** Schedules that may run side by side on one worker: the database has others to answer. */
const sideBySide = 2;

export interface ScheduleWorkerOptions {
  /** A patient connection. */
  redis: Redis;
  schedules: readonly Schedule[];
  tools: Omit<ScheduleTools, 'scheduleNames'>;
  /** How long after a failure a run is tried again; default: 5 s. */
  retryMs?: number;
  /** How often it looks whether the schedules are still there; default: 30 s. */
  restoreMs?: number;
}

type Run = QueuedJob<RunData, string>;

/** Offers itself for the runs of all schedules: each run is taken by one worker, and by another if that one dies. */
export class ScheduleWorker {
  readonly #tools: ScheduleTools;
  readonly #redis: Redis;
  readonly #byName: ReadonlyMap<string, Schedule>;
  readonly #queue: ScheduleQueue;
  readonly #worker: Worker<RunData, string>;
  readonly #runs: ScheduleRuns;
  readonly #deadLetters: DeadLetters;
  readonly #closing = new AbortController();
  readonly #restoreMs: number;
  #restoring: NodeJS.Timeout | undefined;
  #running = 0;

  constructor({ redis, schedules, tools, retryMs, restoreMs = usualRestoreMs }: ScheduleWorkerOptions) {
    this.#restoreMs = restoreMs;
    this.#tools = { ...tools, scheduleNames: schedules.map(({ name }) => name) };
    this.#redis = redis;
    this.#byName = new Map(schedules.map((schedule) => [schedule.name, schedule]));
    this.#queue = new ScheduleQueue(redis, retryMs);
    this.#runs = new ScheduleRuns(redis);
    this.#deadLetters = new DeadLetters(redis);
    this.#worker = new Worker<RunData, string>(
      scheduleQueueName,
      (queued, token) => this.#process(queued, token),
      { connection: redis, concurrency: sideBySide, autorun: false, ...takeover },
    );
    this.#worker.on('error', (error) => tools.log.debug({ err: error }, 'schedules'));
    this.#worker.on('failed', (queued, error) => void (queued && this.#bury(queued, error)));
  }

  /** How many runs it has in hand. */
  get running(): number {
    return this.#running;
  }

  /** Sets the schedules up, and takes runs from now on. A Redis that loses them is given them again. */
  async start(): Promise<void> {
    const schedules = [...this.#byName.values()];
    await this.#queue.offer(schedules);
    let restoring: Promise<void> | null = null;
    // One at a time: while Redis is away they would pile up, and each would start what it finds missing.
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

  /** Gives what runs back to the queue, where another worker takes it up, or this one when it is started again. */
  async close(): Promise<void> {
    clearInterval(this.#restoring);
    this.#closing.abort();
    await this.#worker.close();
    await this.#queue.close();
  }

  async #process(queued: Run, token?: string): Promise<string> {
    const schedule = this.#byName.get(queued.name);
    if (!schedule) return 'not known to this version';
    const attempt = queued.attemptsStarted - (queued.data.interrupted ?? 0);
    if (attempt > runTries)
      throw new UnrecoverableError(`it was started ${runTries} times and did not end: it may end its worker`);
    const lease = await takeScheduleLease(this.#redis, schedule.name, queued.id!);
    if (!lease) return 'another run of it is under way';
    this.#running++;
    try {
      return await this.#run(schedule, queued, attempt, lease.signal);
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
      await queued.updateData({ interrupted: (queued.data.interrupted ?? 0) + 1 });
      await queued.moveToWait(token);
      throw new WaitingError();
    } finally {
      this.#running--;
      await lease.release().catch(() => undefined);
    }
  }

  async #run(schedule: Schedule, queued: Run, attempt: number, lost: AbortSignal): Promise<string> {
    const { log } = this.#tools;
    const started = performance.now();
    const due = dueAt(queued);
    const run: ScheduleRun = {
      name: schedule.name,
      jobId: queued.id!,
      dueAt: due === null ? null : new Date(due).toISOString(),
      startedAt: new Date().toISOString(),
      endedAt: null,
      outcome: 'running',
      note: '',
      node: nodeName(),
      attempt,
    };
    const end = async (outcome: ScheduleRun['outcome'], note: string) => {
      // Whoever took it over tells how it ended.
      if (lost.aborted) return;
      await this.#runs.put({ ...run, endedAt: new Date().toISOString(), outcome, note });
    };
    const about = { schedule: schedule.name, id: queued.id, attempt };
    await this.#runs.put(run);
    try {
      const note = await this.#limited(schedule, lost);
      await end('done', note);
      log.info({ ...about, ms: Math.round(performance.now() - started), note }, 'schedule done');
      return note;
    } catch (caught) {
      const error = mapStorageError(caught);
      const interrupted = this.#closing.signal.aborted || lost.aborted;
      const note = error instanceof AppError ? error.message : errorToData(error).message;
      await end(interrupted ? 'interrupted' : 'failed', note).catch(() => undefined);
      log[interrupted ? 'info' : 'error']({ ...about, err: error }, 'schedule failed');
      throw error;
    }
  }

  /** Runs it until it ends, or its time is over, or the worker is closed, or another one has taken it over. */
  async #limited({ name, limitMs, run }: Schedule, lost: AbortSignal): Promise<string> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(overLimit(name, limitMs)), limitMs);
    const signal = AbortSignal.any([limit.signal, lost, this.#closing.signal]);
    const given = new AppError('cancelled', `"${name}" was given up`);
    try {
      return await Promise.race([
        run(this.#tools, signal),
        new Promise<never>((_resolve, reject) => {
          const give = () => reject(limit.signal.aborted ? (limit.signal.reason as AppError) : given);
          if (signal.aborted) give();
          else signal.addEventListener('abort', give, { once: true });
        }),
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keeps the last failure of a run that is not tried again, if it is a fault of the code. */
  async #bury(queued: Run, error: Error): Promise<void> {
    const isLast = queued.attemptsMade >= runTries || error instanceof UnrecoverableError;
    const named = mapStorageError(error);
    const isBug = !(named instanceof AppError) || named.kind === 'bug';
    if (!isLast || !isBug) return;
    await this.#deadLetters
      .add({
        id: letterId(`schedule ${queued.name}`),
        queue: scheduleQueueName,
        name: queued.name,
        payload: {},
        error: { code: errorToData(named).code, message: error.message, stack: stackOf(error) },
        traceId: queued.id!,
        attempts: queued.attemptsStarted,
        node: nodeName(),
      })
      .catch(() => undefined);
  }
}
