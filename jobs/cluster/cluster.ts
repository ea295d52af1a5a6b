import type { Redis } from 'ioredis';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { DeadLetters, type DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, listNodes, type SeenNode } from '../../storage/cluster/nodes.js';
import { roleOfQueue, scheduleQueueName, type AnyQueueName } from '../../storage/cluster/queues.js';
import { redisUnavailable } from '../../storage/servers/redis.js';
import { ScheduleRuns, type ScheduleRun } from '../../storage/cluster/schedule-runs.js';
import { exchangeJobs, jobs, type AnyJob } from '../definitions/index.js';
import type { JobClient } from '../requests/job-client.js';
import { schedules } from '../schedules/index.js';
import type { Schedule } from '../schedules/worker/schedule.js';
import { ClusterQueues, shownQueues } from './cluster-queues.js';
import { retryAll, type RetriedAll } from './retry-all.js';
import { cancelRunningJob, runningJobs, type RunningJobView } from './running-jobs.js';
import { viewQueue, type QueueView } from './queue-view.js';
import { viewSchedules, type ScheduleView } from './schedule-view.js';

export type { RetriedAll } from './retry-all.js';
export type { ScheduleView } from './schedule-view.js';

/** For how long (ms) `retryAll` starts jobs. */
const retryAllMs = 20_000;

/** The state of a cluster for operators, as plain data. */
export interface ClusterView {
  at: string;
  nodes: Omit<SeenNode, 'jobs' | 'takes'>[];
  /** Those that run longest come first. */
  jobs: RunningJobView[];
  queues: QueueView[];
  schedules: ScheduleView[];
  /** The latest first. */
  dead: DeadLetter[];
}

/** The jobs and schedules of this version. */
interface KnownWork {
  jobs: readonly AnyJob<never>[];
  schedules: readonly Schedule[];
}

const allWork: KnownWork = {
  jobs: [...jobs, ...exchangeJobs],
  schedules,
};

/** What operators see and do: the state of the cluster, dead letters, and schedules run by hand. */
export class Cluster {
  readonly #redis: Redis;
  readonly #jobClient: Pick<JobClient, 'others' | 'run'>;
  readonly #queues: ClusterQueues;
  readonly #runs: ScheduleRuns;
  readonly #deadLetters: DeadLetters;
  readonly #known: KnownWork;

  /** Dead letters are retried through `jobClient`. */
  constructor(redis: Redis, jobClient: Pick<JobClient, 'others' | 'run'>, known = allWork) {
    this.#known = known;
    this.#redis = redis;
    this.#jobClient = jobClient;
    this.#queues = new ClusterQueues(redis, jobClient.others);
    this.#runs = new ScheduleRuns(redis);
    this.#deadLetters = new DeadLetters(redis);
  }

  /** The state of the cluster now. Throws `redis_unavailable`. */
  async view(): Promise<ClusterView> {
    const nodes = await listNodes(this.#redis);
    return withRedisErrors(async () => {
      const opened = await this.#queues.open();
      const [dead, schedules] = await Promise.all([
        this.#deadLetters.list(),
        viewSchedules(this.#known.schedules, opened.schedules, this.#runs),
      ]);
      const queues = await Promise.all(opened.queues.map((queue) => viewQueue(queue, nodes, dead)));
      const at = new Date().toISOString();
      const jobs = runningJobs(nodes);
      return { at, nodes: nodes.map(shownNode), jobs, queues, schedules, dead };
    });
  }

  /** The processes that are alive or were lost in the last minute. Throws `redis_unavailable`. */
  nodes(): Promise<SeenNode[]> {
    return listNodes(this.#redis);
  }

  /** The schedules with their last and next runs. Throws `redis_unavailable`. */
  schedules(): Promise<ScheduleView[]> {
    return withRedisErrors(async () => {
      const { schedules } = await this.#queues.open();
      return viewSchedules(this.#known.schedules, schedules, this.#runs);
    });
  }

  /** The dead letters of a queue, or of all queues. Throws `invalid_input` for an unknown queue, and `redis_unavailable`. */
  async deadLetters(queue?: string): Promise<DeadLetter[]> {
    if (queue !== undefined && !shownQueues.includes(queue))
      throw fieldError('queue', `the queue must be one of ${shownQueues.join(', ')}, found "${queue}"`);
    return withRedisErrors(() => this.#deadLetters.list(queue));
  }

  /**
   * Runs the job of a dead letter again, and deletes the letter when the job succeeds. Throws what the job throws,
   * `invalid_input` for an unknown letter or one that cannot run again, and `no_worker` when no process takes its queue.
   */
  async retry(id: string, traceId: string): Promise<DeadLetter> {
    const letter = await this.#letter(id);
    if (letter.queue === scheduleQueueName) await this.runSchedule(letter.name);
    else await this.#retryJob(letter, traceId);
    await this.#deadLetters.drop(id);
    return letter;
  }

  /**
   * Runs all dead letters again that can run, and deletes those that succeed. None is begun after 20 s, or when the caller is
   * gone. Throws `redis_unavailable`.
   */
  async retryAll(traceId: string, signal: AbortSignal): Promise<RetriedAll> {
    const letters = await withRedisErrors(() => this.#deadLetters.list());
    return retryAll(letters, ({ id }) => this.retry(id, traceId), { budgetMs: retryAllMs, signal });
  }

  /** Ends a running job: its callers get `cancelled`. Throws `invalid_input` for one that does not run. */
  async cancelJob(id: string): Promise<RunningJobView> {
    const nodes = await this.nodes();
    return withRedisErrors(() => cancelRunningJob([this.#redis, ...this.#jobClient.others], nodes, id));
  }

  /** Deletes a dead letter, or `all`, and returns how many. Throws `invalid_input` for an unknown letter. */
  async drop(id: string): Promise<number> {
    if (id === 'all') return withRedisErrors(() => this.#deadLetters.dropAll());
    await this.#letter(id);
    return withRedisErrors(async () => ((await this.#deadLetters.drop(id)) ? 1 : 0));
  }

  /**
   * Runs a schedule now, and resolves when the run has ended. Throws `invalid_input` for an unknown schedule, `no_worker` when
   * no market worker is alive, and `schedule_running` while another run is under way.
   */
  async runSchedule(name: string): Promise<ScheduleRun> {
    const schedule = await this.#runnableSchedule(name);
    return withRedisErrors(async () => {
      const { schedules } = await this.#queues.open();
      return schedules.runToEnd(schedule, this.#runs);
    });
  }

  /** Starts a schedule now, and does not wait for its end. Throws as `runSchedule` does. */
  async startSchedule(name: string): Promise<void> {
    await this.#runnableSchedule(name);
    await withRedisErrors(async () => {
      const run = await this.#runs.find(name);
      if (run?.outcome === 'running')
        throw new AppError('schedule_running', `"${name}" runs already, since ${run.startedAt}`);
      const { schedules } = await this.#queues.open();
      await schedules.runNow(name);
    });
  }

  async close(): Promise<void> {
    await this.#queues.close();
  }

  async #runnableSchedule(name: string): Promise<Schedule> {
    const schedule = this.#known.schedules.find((each) => each.name === name);
    if (!schedule) {
      const names = this.#known.schedules.map((each) => each.name).join(', ');
      throw fieldError('name', `the schedule must be one of ${names}, found "${name}"`);
    }
    await this.#requireWorker(scheduleQueueName);
    return schedule;
  }

  async #letter(id: string): Promise<DeadLetter> {
    const letter = await withRedisErrors(() => this.#deadLetters.find(id));
    if (!letter) throw fieldError('id', `there is no dead letter "${id}"`);
    return letter;
  }

  async #retryJob({ name, payload, complete }: DeadLetter, traceId: string): Promise<void> {
    const job = this.#known.jobs.find((each) => each.name === name);
    if (!job) throw fieldError('id', `this version has no job "${name}"`);
    if (!complete) throw fieldError('id', 'parts of the payload were not kept: it cannot run again');
    await this.#requireWorker(job.queue);
    await this.#jobClient.run(job, payload, { traceId, owner: 'operator' });
  }

  async #requireWorker(queue: AnyQueueName): Promise<void> {
    if (countWorkers(queue, await this.nodes()) > 0) return;
    const message = `no process is alive that takes from queue "${queue}"; start one with npm run ${roleOfQueue(queue)}`;
    throw new AppError('no_worker', message);
  }
}

function shownNode(node: SeenNode): ClusterView['nodes'][number] {
  const shown = { ...node };
  delete shown.jobs;
  delete shown.takes;
  return shown;
}

/** Turns the error of a lost connection into `redis_unavailable`. */
async function withRedisErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw redisUnavailable(error);
  }
}
