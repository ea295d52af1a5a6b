import { setTimeout as pause } from 'node:timers/promises';
import { Queue, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError } from '../../../compute/model/errors.js';
import { scheduleQueueName } from '../../../storage/cluster/queues.js';
import type { ScheduleRun, ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { overLimit } from '../../job.js';
import type { Schedule } from './schedule.js';

/** The data of a run: how often a worker gave it back, and when one that does not know its schedule did so first (ms since 1970). */
export interface RunData {
  interrupted?: number;
  givenBackAt?: number;
}

/** How often a failing run is started. A start on a worker that dies counts, too. */
export const runTries = 3;

export type QueuedRun = QueuedJob<RunData, string>;

const retention = {
  removeOnComplete: { age: 86_400, count: 50 },
  removeOnFail: { age: 7 * 86_400, count: 50 },
};
const defaultRetryMs = 5_000;

const pollMs = 100;

/** The queue of schedule runs: sets schedules up, starts one now, and knows when each runs next. */
export class ScheduleQueue {
  readonly #redis: Redis;
  readonly #queue: Queue<RunData, string>;
  readonly #retries: { attempts: number; backoff: { type: 'exponential'; delay: number } };

  /** A failed run is tried again after `retryMs`, and then after twice that. */
  constructor(redis: Redis, retryMs = defaultRetryMs) {
    this.#redis = redis;
    this.#retries = { attempts: runTries, backoff: { type: 'exponential', delay: retryMs } };
    this.#queue = new Queue<RunData, string>(scheduleQueueName, {
      connection: redis,
      skipWaitingForReady: true,
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', () => undefined);
  }

  /**
   * Sets the schedules up. A schedule that is set up already is left alone: a run that was missed while no worker was alive
   * still waits, and another set-up would remove it. A new schedule runs at once.
   */
  async offer(schedules: readonly Schedule[]): Promise<void> {
    for (const schedule of schedules) {
      const { name, pattern } = schedule;
      const known = await this.#queue.getJobScheduler(name);
      if (known?.pattern === pattern && (await this.#isWaiting(name, known.next))) continue;
      await this.#setUp(schedule);
      if (!known) await this.runNow(name);
    }
  }

  /**
   * Sets up the schedules that are missing, because Redis has lost its data. Others are left as they are: while two versions
   * run, each would set its own pattern in turn.
   */
  async restore(schedules: readonly Schedule[]): Promise<void> {
    const known = new Set(await this.#redis.zrange(this.#queue.toKey('repeat'), '0', '-1'));
    await this.offer(schedules.filter(({ name }) => !known.has(name)));
  }

  /** Adds a run for now, unless such a run waits already. Returns its job id. */
  async runNow(name: string): Promise<string> {
    const jobId = `now-${name}`;
    const gone = { removeOnComplete: true, removeOnFail: true };
    await this.#queue.add(name, {}, { jobId, ...this.#retries, ...gone });
    return jobId;
  }

  /**
   * Runs a schedule now, and resolves with the run when it has ended. Throws `unexpected` when it failed, `schedule_running`
   * while another run is under way, and `time_limit`.
   */
  async runToEnd({ name, limitMs }: Schedule, runs: ScheduleRuns): Promise<ScheduleRun> {
    const jobId = await this.runNow(name);
    const deadline = performance.now() + limitMs;
    while (await this.isOpen(jobId)) {
      if (performance.now() > deadline) throw overLimit(name, limitMs);
      await pause(pollMs);
    }
    const run = await runs.find(name);
    if (run?.jobId !== jobId) throw new AppError('schedule_running', `another run of "${name}" is under way`);
    if (run.outcome !== 'done') throw new AppError('unexpected', `"${name}" ${run.outcome}: ${run.note}`);
    return run;
  }

  /** Whether a run waits or is under way. */
  async isOpen(jobId: string): Promise<boolean> {
    return !['completed', 'failed', 'unknown'].includes(await this.#queue.getJobState(jobId));
  }

  /** When each schedule runs next, in ms since the epoch. */
  async nextRuns(): Promise<Map<string, number>> {
    const known = await this.#queue.getJobSchedulers();
    return new Map(known.flatMap(({ key, next }) => (next === undefined ? [] : [[key, next]])));
  }

  /** Deletes every schedule but these, and returns how many. */
  async keepOnly(names: readonly string[]): Promise<number> {
    const gone = (await this.#queue.getJobSchedulers()).filter(({ key }) => !names.includes(key));
    for (const { key } of gone) await this.#queue.removeJobScheduler(key);
    return gone.length;
  }

  /** Resolves when the queue can be used. Throws what the connection throws; the queue then stays unusable. */
  async ready(): Promise<void> {
    await this.#queue.waitUntilReady();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #setUp({ name, pattern }: Schedule): Promise<void> {
    const template = { name, data: {}, opts: { ...this.#retries, ...retention } };
    await this.#queue.upsertJobScheduler(name, { pattern, tz: 'UTC' }, template).catch(ignoreCollision);
  }

  /** Whether the next run is in the queue. */
  async #isWaiting(name: string, next: number | undefined): Promise<boolean> {
    return next !== undefined && (await this.isOpen(`repeat:${name}:${next}`));
  }
}

/** When a run was due, in ms since the epoch; null for a run that an operator started. */
export const dueAt = ({ opts, repeatJobKey }: QueuedRun): number | null =>
  repeatJobKey === undefined ? null : (opts.prevMillis ?? null);

/** Ignores that another worker has set the schedule up at the same moment. */
function ignoreCollision(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('job ID already exists')) throw error;
}
