import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { DeadLetters, type DeadLetter } from '../../storage/cluster/dead-letters.js';
import { countWorkers, listNodes, type SeenNode } from '../../storage/cluster/nodes.js';
import { roleOfQueue, scheduleQueueName, type AnyQueueName } from '../../storage/cluster/queues.js';
import { redisUnavailable } from '../../storage/servers/redis.js';
import { ScheduleRuns, type ScheduleRun } from '../../storage/cluster/schedule-runs.js';
import { ClusterQueues, shownQueues } from './cluster-queues.js';
import { exchangeJobs, jobs, type AnyJob } from '../definitions/index.js';
import { viewQueue, type QueueView } from './queue-view.js';
import type { JobClient } from '../requests/job-client.js';
import type { ScheduleQueue } from '../schedules/worker/schedule-queue.js';
import type { Schedule } from '../schedules/worker/schedule.js';
import { schedules } from '../schedules/index.js';

export interface ScheduleView {
  name: string;
  summary: string;
  /** Second, minute, hour, day of the month, month, day of the week; UTC. */
  pattern: string;
  /** null while no worker has offered itself yet. */
  nextRunAt: string | null;
  lastRun: ScheduleRun | null;
}

/** What an operator needs to see of a cluster, as plain data. */
export interface ClusterView {
  at: string;
  nodes: SeenNode[];
  queues: QueueView[];
  schedules: ScheduleView[];
  /** The latest first. */
  dead: DeadLetter[];
}

/** The jobs and schedules that there are. */
interface KnownWork {
  jobs: readonly AnyJob<never>[];
  schedules: readonly Schedule[];
}

const allWork: KnownWork = {
  jobs: [...jobs, ...exchangeJobs],
  schedules,
};

/** The whole service over one Redis, to look at and to put right. */
export class Cluster {
  readonly #redis: Redis;
  readonly #jobQueues: Pick<JobClient, 'run'>;
  readonly #queues: ClusterQueues;
  readonly #runs: ScheduleRuns;
  readonly #deadLetters: DeadLetters;
  readonly #known: KnownWork;

  /** Jobs that are run again go through `jobQueues`. */
  constructor(redis: Redis, jobQueues: Pick<JobClient, 'run'>, known = allWork) {
    this.#known = known;
    this.#redis = redis;
    this.#jobQueues = jobQueues;
    this.#queues = new ClusterQueues(redis);
    this.#runs = new ScheduleRuns(redis);
    this.#deadLetters = new DeadLetters(redis);
  }

  /** How everything stands now. Throws `redis_unavailable`. */
  async view(): Promise<ClusterView> {
    const nodes = await listNodes(this.#redis);
    return whileRedisAnswers(async () => {
      const opened = await this.#queues.open();
      const [dead, schedules] = await Promise.all([
        this.#deadLetters.list(),
        this.#scheduleViews(opened.schedules),
      ]);
      const queues = await Promise.all(opened.queues.map((queue) => viewQueue(queue, nodes, dead)));
      return { at: new Date().toISOString(), nodes, queues, schedules, dead };
    });
  }

  /** Every process that is alive or was lost in the last minute. Throws `redis_unavailable`. */
  nodes(): Promise<SeenNode[]> {
    return listNodes(this.#redis);
  }

  /** Every schedule with its last and its next run. */
  schedules(): Promise<ScheduleView[]> {
    return whileRedisAnswers(async () => this.#scheduleViews((await this.#queues.open()).schedules));
  }

  /** The jobs of a queue, or of all, that failed by a bug or a crash. Throws `invalid_input` for another queue. */
  async deadLetters(queue?: string): Promise<DeadLetter[]> {
    if (queue !== undefined && !shownQueues.includes(queue))
      throw invalid('queue', `the queue must be one of ${shownQueues.join(', ')}, found "${queue}"`);
    return whileRedisAnswers(() => this.#deadLetters.list(queue));
  }

  /**
   * Runs a dead letter's job again, and throws the letter away when that succeeds. Throws what the job throws,
   * `invalid_input` for a letter that there is not or that cannot run again, and `no_worker` when nobody is there to run it.
   */
  async retry(id: string, traceId: string): Promise<DeadLetter> {
    const letter = await this.#letter(id);
    if (letter.queue === scheduleQueueName) await this.runSchedule(letter.name);
    else await this.#retryJob(letter, traceId);
    await this.#deadLetters.drop(id);
    return letter;
  }

  /** Throws a dead letter away, or `all`; tells how many. Throws `invalid_input` for one that there is not. */
  async drop(id: string): Promise<number> {
    if (id === 'all') return whileRedisAnswers(() => this.#deadLetters.dropAll());
    await this.#letter(id);
    return whileRedisAnswers(async () => ((await this.#deadLetters.drop(id)) ? 1 : 0));
  }

  /**
   * Runs a schedule now and resolves when the run has ended. Throws `invalid_input` for one that there is not, `no_worker`
   * when no market worker is alive, and `schedule_running` while another run of it is under way.
   */
  async runSchedule(name: string): Promise<ScheduleRun> {
    const schedule = this.#known.schedules.find((each) => each.name === name);
    if (!schedule) {
      const names = this.#known.schedules.map((each) => each.name).join(', ');
      throw invalid('name', `the schedule must be one of ${names}, found "${name}"`);
    }
    await this.#require(scheduleQueueName);
    return whileRedisAnswers(async () => {
      const { schedules } = await this.#queues.open();
      return schedules.runToEnd(schedule, this.#runs);
    });
  }

  async close(): Promise<void> {
    await this.#queues.close();
  }

  async #letter(id: string): Promise<DeadLetter> {
    const letter = await whileRedisAnswers(() => this.#deadLetters.find(id));
    if (!letter) throw invalid('id', `there is no dead letter "${id}"`);
    return letter;
  }

  async #retryJob({ name, payload, complete }: DeadLetter, traceId: string): Promise<void> {
    const job = this.#known.jobs.find((each) => each.name === name);
    if (!job) throw invalid('id', `this version has no job "${name}"`);
    if (!complete) throw invalid('id', 'parts of the payload were not kept: it cannot run again');
    await this.#require(job.queue);
    await this.#jobQueues.run(job, payload, { traceId, owner: 'operator' });
  }

  async #require(queue: AnyQueueName): Promise<void> {
    if (countWorkers(queue, await this.nodes()) > 0) return;
    const message = `no process is alive that takes from queue "${queue}"; start one with npm run ${roleOfQueue(queue)}`;
    throw new AppError('no_worker', message);
  }

  async #scheduleViews(queue: ScheduleQueue): Promise<ScheduleView[]> {
    const next = await queue.nextRuns();
    return Promise.all(
      this.#known.schedules.map(async ({ name, summary, pattern }) => {
        const nextMs = next.get(name);
        const nextRunAt = nextMs === undefined ? null : new Date(nextMs).toISOString();
        return { name, summary, pattern, nextRunAt, lastRun: await this.#runs.find(name) };
      }),
    );
  }
}

/** What a connection throws that is lost, in the service's own words. */
async function whileRedisAnswers<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw redisUnavailable(error);
  }
}

const invalid = (field: string, message: string) =>
  new AppError('invalid_input', message, { details: { field } });
