import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Redis } from 'ioredis';
import { AppError, errorFromData } from '../../compute/model/errors.js';
import type { Metrics } from '../../storage/process/metrics.js';
import { awaitRedis, connected, failFast, openRedis, patient } from '../../storage/servers/redis.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import type { TraceContext, Tracing } from '../../storage/process/tracing.js';
import { overLimit, queueNames, queueShares, type Answer, type Job, type QueueName } from '../job.js';
import { answerOf, howAnswered, Question, type AskedJob, type Caller, type Found } from './question.js';
import { QueueEntrance } from './queue-entrance.js';
import { RecentAnswers } from './recent-answers.js';
import { ResultStore } from './result-store.js';
import {
  decodeReplies,
  itemId,
  replyChannel,
  type Item,
  type Progress,
  type Reply,
  type Timings,
} from './wire.js';

export type { Progress } from './wire.js';

export interface QueueOptions {
  /** Jobs that may wait in one queue; one more is refused with `queue_full`. */
  depthLimit: number;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
  /** How many characters of answers are kept here for those who ask the same. Default: 16 million. */
  rememberedCharacters?: number;
}

export interface RunOptions {
  /** Follows the job through queue and thread into the logs. */
  traceId: string;
  /** Who asks: nobody's many jobs go before another's first. */
  owner?: string;
  /** Aborted when the caller waits no more; when nobody does, the job is cancelled. */
  signal?: AbortSignal;
  /** A time limit shorter than the job's own. */
  timeoutMs?: number;
  /** Hears how far the job has come, a few times a second while it runs: never less than before, 1 at its end. */
  onProgress?: (progress: Progress) => void;
}

const lookAgainMs = 1_000;
const usuallyRemembered = 16_000_000;

/**
 * The gateway's end of the queues: puts questions in, those of the same moment together, and hands the answers to whoever
 * waits. Equal questions are asked once.
 */
export class JobQueues {
  readonly #redis: Redis;
  readonly #replies: Redis;
  readonly #id = randomUUID();
  readonly #entrances: ReadonlyMap<QueueName, QueueEntrance>;
  readonly #asked = new Map<string, Question>();
  readonly #recent: RecentAnswers;
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #lookAgain: NodeJS.Timeout;
  readonly #clock: RedisClock;

  private constructor(redis: Redis, replies: Redis, options: QueueOptions) {
    const { depthLimit, metrics, tracing, rememberedCharacters = usuallyRemembered } = options;
    this.#metrics = metrics;
    this.#tracing = tracing;
    this.#recent = new RecentAnswers(rememberedCharacters);
    this.#redis = redis;
    this.#clock = new RedisClock(redis);
    this.#replies = replies;
    const shared = {
      ...{ redis, depthLimit, gateway: this.#id, results: new ResultStore(redis, 0) },
      answer: (question: Question, text: string, found: Found) => this.#answer(question, text, {}, found),
      refuse: (question: Question, error: AppError) => this.#settle(question, error, 'computed'),
      askAgain: (question: Question) => this.#askAgain(question),
    };
    this.#entrances = new Map(queueNames.map((name) => [name, new QueueEntrance({ name, ...shared })]));
    replies.on('message', (_channel, message: string) => {
      for (const reply of decodeReplies(message)) this.#hear(reply);
    });
    metrics?.read('pendingRequests', () => [[this.callers]]);
    metrics?.read('queueJobs', async () => {
      const entrances = [...this.#entrances.values()];
      return (await Promise.all(entrances.map((entrance) => entrance.depths()))).flat();
    });
    this.#lookAgain = setInterval(() => this.#lookAfter(lookAgainMs), lookAgainMs).unref();
  }

  /** Resolves when jobs can be put in and results heard of. */
  static async open(redisUrl: string, options: QueueOptions): Promise<JobQueues> {
    const redis = openRedis(redisUrl, failFast, options.metrics, options.tracing);
    // A queue asks the server for its version when it is made: where that fails it never recovers.
    await connected(redis);
    const replies = openRedis(redisUrl, patient, options.metrics);
    const queues = new JobQueues(redis, replies, options);
    const entrances = [...queues.#entrances.values()];
    try {
      await awaitRedis(Promise.all(entrances.map((entrance) => entrance.ready())));
      await Promise.all([queues.#clock.read(), replies.subscribe(replyChannel(queues.#id))]);
    } catch (error) {
      await queues.close();
      throw error;
    }
    redis.on('ready', () => queues.#lookAfter(0));
    return queues;
  }

  /**
   * Runs a job on some compute node and waits for its result; a result that is there already is given at once. Throws
   * the job's own error, `queue_full`, `redis_unavailable`, `time_limit` when the limit (waiting included) is over, or
   * `cancelled`.
   */
  async run<Payload, Result>(
    job: Job<string, Payload, Result, never>,
    payload: Payload,
    { traceId, owner = '', signal, timeoutMs = job.timeoutMs, onProgress }: RunOptions,
  ): Promise<Answer<Result>> {
    const gone = () => new AppError('cancelled', `"${job.name}" was cancelled`);
    if (signal?.aborted) throw gone();
    const limitMs = Math.min(timeoutMs, job.timeoutMs);
    const asked = performance.now();
    const span = this.#tracing?.start(`ask ${job.name}`, {
      kind: 'producer',
      attributes: { 'tidemark.job': job.name, 'tidemark.queue': job.queue, 'tidemark.request_id': traceId },
    });
    const answer = await new Promise<Answer>((resolve, reject) => {
      const caller: Caller = {
        deadline: this.#clock.now() + limitMs,
        limitMs,
        onProgress,
        joined: false,
        span,
        settle: (outcome, found, computation) => {
          const answered = howAnswered(outcome, caller.joined ? 'joined' : found);
          this.#metrics?.jobRequestEnded(job.name, answered);
          // The run is a part of the first one's trace; it is pointed to from the others'.
          if (caller.joined && computation) span?.link(computation);
          span?.set({ 'tidemark.answered': answered });
          span?.end(outcome instanceof AppError ? outcome.code : undefined);
          clearTimeout(timer);
          signal?.removeEventListener('abort', leave);
          if (outcome instanceof AppError) reject(outcome);
          else resolve(outcome);
        },
      };
      const give = (error: AppError) => {
        caller.settle(error, 'computed');
        this.#leave(caller, id);
      };
      const leave = () => give(gone());
      const timer = setTimeout(() => give(overLimit(job.name, limitMs)), limitMs);
      signal?.addEventListener('abort', leave, { once: true });
      const id = this.#join(job, payload, caller, traceId, owner);
    });
    const { run, ...stages } = answer.timings;
    const queue = performance.now() - asked - (run ?? 0);
    if (run !== undefined) this.#metrics?.jobRequestWaited(job.queue, queue);
    return { result: answer.result as Result, timings: { queue, ...stages } };
  }

  /**
   * Runs the same job for each payload, all at once, on whatever nodes there are; the answers come in the order of the
   * payloads, and `onProgress` hears of all together. Throws the error of the first that fails, and cancels the others.
   */
  async runAll<Payload, Result>(
    job: Job<string, Payload, Result, never>,
    payloads: readonly Payload[],
    { signal, onProgress, ...options }: RunOptions,
  ): Promise<Answer<Result>[]> {
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    // Every payload listens: that is no leak.
    setMaxListeners(0, either);
    const tell = onProgress && tellOfAll(payloads.length, onProgress);
    try {
      return await Promise.all(
        payloads.map(async (each, n) => {
          const own = tell ? { onProgress: (progress: Progress) => tell(n, progress) } : {};
          const answer = await this.run(job, each, { ...options, ...own, signal: either });
          tell?.(n, { phase: job.name, fraction: 1 });
          return answer;
        }),
      );
    } finally {
      failed.abort();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#lookAgain);
    this.#clock.close();
    const closing = new AppError('cancelled', 'the gateway is closing');
    const closed = [...this.#entrances.values()].map((entrance) => entrance.close(closing));
    for (const question of this.#asked.values()) this.#settle(question, closing, 'computed');
    await Promise.allSettled(closed);
    this.#redis.disconnect();
    this.#replies.disconnect();
  }

  #entrance({ job }: Question): QueueEntrance {
    return this.#entrances.get(job.queue)!;
  }

  /** How many callers wait for an answer. */
  get callers(): number {
    let count = 0;
    for (const { callers } of this.#asked.values()) count += callers.size;
    return count;
  }

  /** Lets the caller wait for the answer to what it asks, which is asked if nobody has yet. */
  #join(job: AskedJob, payload: unknown, caller: Caller, traceId: string, owner: string): string {
    const id = itemId(job.name, payload);
    const recent = this.#recent.find(id);
    if (recent !== undefined) {
      caller.settle(answerOf(recent, {}), 'stored');
      return id;
    }
    const known = this.#asked.get(id);
    if (known) {
      known.join(caller);
      if (caller.onProgress) this.#entrance(known).listen(known);
      return id;
    }
    const { limitMs, deadline, onProgress, span } = caller;
    const item: Item = { id, name: job.name, payload, limitMs, deadline, traceId };
    if (span) item.trace = span.context;
    if (onProgress) item.isListenedTo = true;
    this.#ask(new Question(job, item, owner, job.share ?? queueShares[job.queue], [caller]));
    return id;
  }

  #ask(question: Question): void {
    this.#asked.set(question.item.id, question);
    this.#entrance(question).push(question);
  }

  /** Takes a caller's interest away; the last one to leave cancels. */
  #leave(caller: Caller, id: string): void {
    const question = this.#asked.get(id);
    if (!question?.callers.delete(caller) || question.isWaitedFor) return;
    this.#asked.delete(id);
    this.#entrance(question).leave(question);
  }

  #hear(reply: Reply): void {
    for (const entrance of this.#entrances.values()) {
      const question = entrance.batch(reply.batch)?.questions[reply.index];
      if (question) return this.#take(reply, question);
    }
  }

  #take(reply: Reply, question: Question): void {
    if (reply.kind === 'progress') question.tell(reply.progress);
    else if (reply.kind === 'again') this.#askAgain(question);
    else if (reply.kind === 'error')
      this.#settle(question, errorFromData(reply.error), 'computed', reply.trace);
    // What nobody waits for need not be read.
    else if (question.isWaitedFor) this.#answer(question, reply.text, reply.timings, 'computed', reply.trace);
  }

  #answer(question: Question, text: string, timings: Timings, found: Found, run?: TraceContext): void {
    // A job that says itself how long its result is good has one that does not stay true.
    if (!question.job.keepMs) this.#recent.add(question.item.id, text);
    this.#settle(question, answerOf(text, timings), found, run);
  }

  /** Hands out an answer. Those whose own time is not over do not take the end of another's: they ask again. */
  #settle(question: Question, outcome: Answer | AppError, found: Found, computation?: TraceContext): void {
    this.#forget(question);
    this.#entrance(question).ended(question, found === 'computed' && isDone(outcome));
    this.#askFor(question.settle(outcome, found, computation), question);
  }

  #askAgain(question: Question): void {
    this.#forget(question);
    this.#entrance(question).ended(question, false);
    this.#askFor(question.again(), question);
  }

  #forget(question: Question): void {
    if (this.#asked.get(question.item.id) === question) this.#asked.delete(question.item.id);
  }

  #askFor(rest: Question | null, { batch, job }: Question): void {
    if (batch) this.#entrances.get(job.queue)!.forgetAnswered(batch);
    if (rest) this.#ask(rest);
  }

  #lookAfter(sentBeforeMs: number): void {
    for (const entrance of this.#entrances.values()) void entrance.lookAfter(sentBeforeMs);
  }
}

/** Whether a node has done its work on a question, whatever came of it. */
const isDone = (outcome: Answer | AppError): boolean =>
  !(outcome instanceof AppError) || !notDone.includes(outcome.code);

const notDone: readonly string[] = ['cancelled', 'queue_full', 'redis_unavailable', 'time_limit'];

/** How far many have come that each tell for themselves: the mean of all. */
function tellOfAll(
  count: number,
  onProgress: (progress: Progress) => void,
): (n: number, progress: Progress) => void {
  const fractions = new Float64Array(count);
  return (n, { phase, fraction }) => {
    if (fraction <= fractions[n]) return;
    fractions[n] = fraction;
    onProgress({ phase, fraction: fractions.reduce((sum, each) => sum + each, 0) / count });
  };
}
