import { Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { DeadLetters, type JobFailure } from '../../storage/cluster/dead-letters.js';
import type { ActivityRecorder } from '../../storage/cluster/activity-recorder.js';
import type { RunningJob } from '../../storage/cluster/nodes.js';
import { computeQueues, type QueueName } from '../../storage/cluster/queues.js';
import type { Metrics } from '../../storage/process/metrics.js';
import { measureRedis } from '../../storage/process/round-trips.js';
import type { Tracing } from '../../storage/process/tracing.js';
import type { PausableWorker } from '../../storage/servers/mongo-watch.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import type { AnyJob } from '../definitions/index.js';
import type { JobTools } from '../job.js';
import { ResultStore } from '../requests/result-store.js';
import { retention } from '../requests/retention.js';
import { cancelledKey, replyChannel, type ItemOutcome, type RequestBatch } from '../requests/wire.js';
import { ControlChannels } from './control-channels.js';
import { EngineCheck, giveBack, ownEngineShare } from './engine-check.js';
import { failureOf } from './failure.js';
import { ItemReplies, endRunSpan, startRunSpan } from './item-replies.js';
import { ItemRun, positionKey } from './item-run.js';
import { ItemRunner } from './item-runner.js';
import type { NodeTools } from './node-tools.js';
import { RunningItems } from './running-items.js';
import { checkStalled, takeover } from './stalled-jobs.js';

const defaultDrainMs = 25_000;

export interface WorkerOptions<Tools> {
  redis: Redis;
  /** The Redis that knows all nodes and keeps dead letters. Default: that of `redis`. */
  cluster?: Redis;
  /** The connection whose pulse carries the checks for stalled jobs. Default: `redis`. */
  pulsed?: Redis;
  jobs: readonly AnyJob<Tools>[];
  tools: NodeTools<Tools>;
  /** The size of all results kept in Redis, at most. */
  resultBytes: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** Counts the jobs of all nodes, for operators. */
  activity?: ActivityRecorder | undefined;
  /** The queues to take from. Default: those of compute nodes. */
  queues?: readonly QueueName[];
  /** How long `close` waits for running jobs; another process then runs what is left. Default: 25 s. */
  drainMs?: number;
}

type QueuedBatch = QueuedJob<RequestBatch, ItemOutcome[]>;

/** Takes batches from the queues, runs their items, and sends the results to the gateways. */
export class JobWorker<Tools = JobTools> {
  readonly #workers: Worker<RequestBatch, ItemOutcome[]>[];
  /** The connection of the queues, and one for everything else. */
  readonly #queueRedis: Redis;
  readonly #redis: Redis;
  readonly #drainMs: number;
  readonly #control: ControlChannels;
  readonly #engines: EngineCheck;
  readonly #replies: ItemReplies;
  readonly #runner: ItemRunner<Tools>;
  readonly #clock: RedisClock;
  readonly #clockRead: Promise<void>;
  readonly #deadLetters: DeadLetters;
  readonly #endChecks: () => Promise<void>;
  readonly #tracing: Tracing | undefined;
  readonly #running = new RunningItems();

  constructor(options: WorkerOptions<Tools>) {
    const { redis, jobs, tools, resultBytes, metrics, tracing, activity } = options;
    this.#queueRedis = redis;
    this.#drainMs = options.drainMs ?? defaultDrainMs;
    this.#tracing = tracing;
    // There are many small commands: those of one tick are sent as one.
    this.#redis = redis.duplicate({ enableAutoPipelining: true });
    this.#redis.on('error', () => undefined);
    if (metrics) measureRedis(this.#redis, metrics);
    const results = new ResultStore(this.#redis, resultBytes);
    this.#replies = new ItemReplies(this.#redis, results);
    const cluster = options.cluster ?? this.#redis;
    this.#engines = new EngineCheck(cluster);
    this.#clock = new RedisClock(this.#redis);
    this.#clockRead = this.#clock.read();
    const now = () => this.#clock.now();
    const deadLetters = (this.#deadLetters = new DeadLetters(cluster));
    this.#runner = new ItemRunner({ jobs, tools, results, deadLetters, metrics, activity, now });
    this.#control = new ControlChannels(redis.duplicate(), this.#running);
    this.#workers = (options.queues ?? computeQueues).map((name) => this.#openWorker(name, tools));
    this.#endChecks = checkStalled(options.pulsed ?? redis, this.#workers);
  }

  /** How many items run. */
  get running(): number {
    return this.#running.size;
  }

  /** What takes the batches, one for each queue. */
  get workers(): readonly PausableWorker[] {
    return this.#workers;
  }

  /** The jobs that have run longest, for operators. */
  get reportedJobs(): RunningJob[] {
    return this.#running.report();
  }

  /** Resolves when the worker takes batches. */
  async ready(): Promise<void> {
    await this.#control.open();
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()));
  }

  /** Takes no more batches. Resolves when those that run have ended, or after the drain time: another node then runs them. */
  async close(): Promise<void> {
    void this.#endChecks();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#drainMs);
    });
    const closed = Promise.all(this.#workers.map((worker) => worker.close())).then(() => true);
    const isDone = await Promise.race([closed, tooLong]);
    clearTimeout(timer);
    if (!isDone) {
      // Without a connection the locks of the batches expire, and another node takes them.
      closed.catch(() => undefined);
      this.#queueRedis.disconnect();
    }
    this.#runner.close();
    this.#clock.close();
    this.#control.close();
    this.#redis.disconnect();
  }

  #openWorker(
    name: QueueName,
    { log, concurrencyOf }: NodeTools<Tools>,
  ): Worker<RequestBatch, ItemOutcome[]> {
    const worker = new Worker<RequestBatch, ItemOutcome[]>(
      name,
      (queued, token) => this.#process(queued, token),
      {
        connection: this.#queueRedis,
        concurrency: concurrencyOf(name),
        ...retention,
        ...takeover,
      },
    );
    worker.on('error', (error) => log.debug({ err: error, queue: name }, 'queue'));
    worker.on('failed', (queued, error) => {
      for (const failure of batchFailures(name, queued, error))
        this.#deadLetters.add(failure).catch(() => undefined);
    });
    return worker;
  }

  async #process(queued: QueuedBatch, token?: string): Promise<ItemOutcome[]> {
    await this.#clockRead;
    const isForeign = !this.#engines.isOwn(queued.data);
    // A paused worker may be handed one more batch, for which it waited already.
    const isPaused = this.#workers.some((worker) => worker.isPaused());
    if (isPaused || (isForeign && (await this.#isForOthers(queued)))) return giveBack(queued, token);
    const runs = this.#runsOf(queued, isForeign);
    for (const run of runs) this.#running.add(run);
    try {
      // This request goes out before the claims on the same connection, so a cancelled run ends before it computes.
      const cancelled = this.#cancelEarlier(queued.id!);
      const answers = Promise.all(runs.map((run) => this.#answer(run)));
      const [outcomes] = await Promise.all([answers, cancelled]);
      return outcomes;
    } finally {
      for (const run of runs) this.#running.remove(run);
    }
  }

  /** Whether a batch of another engine waits for a node of that engine. One that has waited for long is computed here, if it can be. */
  async #isForOthers({ queueName, data: { engine, items } }: QueuedBatch): Promise<boolean> {
    const now = this.#clock.now();
    if (items.every(({ deadline }) => deadline <= now)) return false;
    const hasTime = items.every(({ deadline, limitMs }) => now < deadline - limitMs * (1 - ownEngineShare));
    const waits = hasTime || !items.every((item) => this.#runner.canRun(item));
    return waits && this.#engines.hasNode(queueName, engine);
  }

  #runsOf(queued: QueuedBatch, isForeign: boolean): ItemRun[] {
    const { gateway, items } = queued.data;
    const shared = { batch: queued.id!, channel: replyChannel(gateway), starts: startsOf(queued), isForeign };
    return items.map(
      (item, index) =>
        new ItemRun({ ...shared, item, index, span: startRunSpan(this.#tracing, item, queued) }),
    );
  }

  /** Cancels the runs of a batch whose cancellation came before this node could receive it. */
  async #cancelEarlier(batch: string): Promise<void> {
    for (const index of await this.#redis.smembers(cancelledKey(batch)))
      this.#running.cancel(positionKey({ batch, index: Number(index) }));
  }

  async #answer(run: ItemRun): Promise<ItemOutcome> {
    const { span } = run;
    const compute = () =>
      this.#runner.run(run, (phase, fraction) => {
        run.progress = { phase, fraction };
        this.#replies.progress(run, phase, fraction);
      });
    const outcome = await (span ? span.run(compute) : compute());
    // The other items of its batch may take much longer.
    this.#running.remove(run);
    endRunSpan(span, outcome);
    this.#replies.end(run, outcome);
    if (outcome.kind === 'error') return { error: outcome.error };
    return outcome.kind === 'elsewhere' ? 'elsewhere' : null;
  }
}

/** How many nodes began to compute the batch, this one included. */
const startsOf = ({ attemptsStarted, data: { returned = 0 } }: QueuedBatch): number =>
  attemptsStarted - returned;

/** The failures of a batch that failed as a whole: one for each item. */
function batchFailures(queue: QueueName, queued: QueuedBatch | undefined, cause: Error): JobFailure[] {
  if (!queued) return [];
  const error = new AppError('unexpected', `the job failed as a whole: ${cause.message}`, { cause });
  const { data } = queued;
  const starts = startsOf(queued);
  return data.items.flatMap((item) => failureOf({ item, error, starts, tries: 0 }, queue) ?? []);
}
