import { setTimeout as pause } from 'node:timers/promises';
import { Queue, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError } from '../../../compute/model/errors.js';
import { scheduleQueueName } from '../../../storage/cluster/queues.js';
import type { ScheduleRun, ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { overLimit } from '../../job.js';
import type { Schedule } from './schedule.js';

/** What a run carries along: how often it was given up to another worker. */
export interface RunData {
  interrupted?: number;
}

/** How often a run is started that fails; a worker that died half way has used a try up, too. */
export const runTries = 3;

const retention = {
  removeOnComplete: { age: 86_400, count: 50 },
  removeOnFail: { age: 7 * 86_400, count: 50 },
};
const usualRetryMs = 5_000;

const askAgainMs = 100;

/** The queue of schedules: which there are, when they run next, and one that is wanted now. */
export class ScheduleQueue {
  readonly #queue: Queue<RunData, string>;

  readonly #retries: { attempts: number; backoff: { type: 'exponential'; delay: number } };

  /** A failed run is tried again after `retryMs`, and then after twice that. */
  constructor(redis: Redis, retryMs = usualRetryMs) {
    this.#retries = { attempts: runTries, backoff: { type: 'exponential', delay: retryMs } };
    this.#queue = new Queue<RunData, string>(scheduleQueueName, {
      connection: redis,
      skipWaitingForReady: true,
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', () => undefined);
  }

  /**
   * Makes the schedules run from now on. One that is there as it should be is left alone: a run that was missed while no
   * worker was there is still waiting, and setting it up anew would throw it away. One that is new runs at once.
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
   * Offers those again that are not there any more, as after Redis has lost what it held. Any other is left as it is: while
   * two versions run, each would change it to its own pattern in turn.
   */
  async restore(schedules: readonly Schedule[]): Promise<void> {
    for (const schedule of schedules)
      if (!(await this.#queue.getJobScheduler(schedule.name))) await this.offer([schedule]);
  }

  /** Puts in a run for now, unless one that was asked for waits already; its id. */
  async runNow(name: string): Promise<string> {
    const jobId = `now-${name}`;
    const gone = { removeOnComplete: true, removeOnFail: true };
    await this.#queue.add(name, {}, { jobId, ...this.#retries, ...gone });
    return jobId;
  }

  /**
   * Runs a schedule now and resolves with how it ended. Throws its failure as `unexpected`, `schedule_running` while another
   * run is under way, and `time_limit`.
   */
  async runToEnd({ name, limitMs }: Schedule, runs: ScheduleRuns): Promise<ScheduleRun> {
    const jobId = await this.runNow(name);
    const giveUpAt = performance.now() + limitMs;
    while (await this.isOpen(jobId)) {
      if (performance.now() > giveUpAt) throw overLimit(name, limitMs);
      await pause(askAgainMs);
    }
    const run = await runs.find(name);
    if (run?.jobId !== jobId) throw new AppError('schedule_running', `another run of "${name}" is under way`);
    if (run.outcome !== 'done') throw new AppError('unexpected', `"${name}" ${run.outcome}: ${run.note}`);
    return run;
  }

  /** Whether a run is still to come or under way. */
  async isOpen(jobId: string): Promise<boolean> {
    return !['completed', 'failed', 'unknown'].includes(await this.#queue.getJobState(jobId));
  }

  /** When each schedule runs next, in ms. */
  async nextRuns(): Promise<Map<string, number>> {
    const known = await this.#queue.getJobSchedulers();
    return new Map(known.flatMap(({ key, next }) => (next === undefined ? [] : [[key, next]])));
  }

  /** Forgets every schedule but these, and tells how many. */
  async keepOnly(names: readonly string[]): Promise<number> {
    const gone = (await this.#queue.getJobSchedulers()).filter(({ key }) => !names.includes(key));
    for (const { key } of gone) await this.#queue.removeJobScheduler(key);
    return gone.length;
  }

  /** Resolves when the queue can be asked. Throws what the connection throws, and then always. */
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

  /** Whether the run that is to come next is really there. */
  async #isWaiting(name: string, next: number | undefined): Promise<boolean> {
    return next !== undefined && (await this.isOpen(`repeat:${name}:${next}`));
  }
}

/** When a run was due, in ms; null for one that somebody asked for. */
export const dueAt = ({ opts, repeatJobKey }: QueuedJob): number | null =>
  repeatJobKey === undefined ? null : (opts.prevMillis ?? null);

/** Another worker has set the schedule up in the same moment, and its run is under way. */
function ignoreCollision(error: unknown): void {
  if (!(error instanceof Error) || !error.message.includes('job ID already exists')) throw error;
}
