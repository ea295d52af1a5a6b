import { randomUUID } from 'node:crypto';
import { Job as QueuedJob, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { AppError, errorFromData } from '../../compute/model/errors.js';
import type { MetricSample } from '../../storage/process/metrics.js';
import { redisUnavailable } from '../../storage/servers/redis.js';
import { queueShares, type QueueName } from '../job.js';
import { Lane } from './lane.js';
import { Pace } from './pace.js';
import type { Found, Question, SentBatch } from './question.js';
import { QueueRoom } from './queue-room.js';
import type { ResultStore } from './result-store.js';
import { retention } from './retention.js';
import { cancelChannel, cancelledKey, listenChannel, type Batch, type Outcome } from './wire.js';

/** A queue that sends batches one after the other lets the next one fill; one of single jobs need not wait. */
const underWay: Record<QueueName, number> = {
  analysis: 1,
  backtest: 64,
  scan: 4,
  signals: 1,
  market: 8,
  exchanges: 8,
};

const cancelledSeconds = 120;

/**
 * A question that would wait for longer than this share of its limit is refused at once: its answer would come too late,
 * and those who come after it would wait as long. Who asks something small does not want to wait at all.
 */
const mostOfLimit: Record<QueueName, number> = {
  analysis: 0.2,
  backtest: 0.7,
  scan: 0.5,
  signals: 0.2,
  market: 0.7,
  exchanges: 0.7,
};

export interface EntranceOptions {
  name: QueueName;
  redis: Redis;
  results: ResultStore;
  /** The gateway that is told the answers. */
  gateway: string;
  /** Jobs that may wait in the queue. */
  depthLimit: number;
  /** Hands out the result of a question, as text. */
  answer: (question: Question, text: string, found: Found) => void;
  /** Ends a question without a result. */
  refuse: (question: Question, error: AppError) => void;
  /** Asks a question anew. */
  askAgain: (question: Question) => void;
}

/** Where a gateway puts questions into one queue, those of the same moment together, and looks after them there. */
export class QueueEntrance {
  readonly #options: EntranceOptions;
  readonly #queue: Queue<Batch, Outcome[]>;
  readonly #lane: Lane<Question>;
  readonly #room: QueueRoom;
  /** What lies in the queue or runs. */
  readonly #sent = new Map<string, SentBatch>();
  /** What somebody began to listen to after it was sent. */
  readonly #late = new WeakSet<Question>();
  /** Questions taken in that have not ended, and how fast they do. */
  readonly #taken = new WeakSet<Question>();
  #open = 0;
  readonly #pace = new Pace();

  constructor(options: EntranceOptions) {
    const { name, redis, depthLimit } = options;
    this.#options = options;
    this.#queue = new Queue<Batch, Outcome[]>(name, {
      connection: redis,
      skipWaitingForReady: true,
      defaultJobOptions: retention,
      // Nobody reads the events: answers come from the nodes themselves.
      streams: { events: { maxLen: 100 } },
    });
    this.#queue.on('error', () => undefined);
    this.#lane = new Lane<Question>((questions) => {
      const [{ span }] = questions;
      return span ? span.run(() => this.#send(questions)) : this.#send(questions);
    }, underWay[name]);
    this.#room = new QueueRoom(this.#queue, depthLimit);
  }

  /** Resolves when the queue can be asked. Throws what the connection throws, and then always. */
  async ready(): Promise<void> {
    await this.#queue.waitUntilReady();
  }

  /** Takes a question in, or refuses it. */
  push(question: Question): void {
    const { name, depthLimit, refuse } = this.#options;
    const isLate = this.#pace.waitMs(this.#open) > mostOfLimit[name] * question.item.limitMs;
    if (isLate || this.#lane.size >= depthLimit) return refuse(question, this.#room.full(this.#lane.size));
    this.#open++;
    this.#taken.add(question);
    this.#pace.note(this.#open, false);
    this.#lane.push(question);
  }

  /** A question that was taken in has ended, with an answer or without. */
  ended(question: Question, wasAnswered: boolean): void {
    if (!this.#taken.delete(question)) return;
    this.#open--;
    this.#pace.note(this.#open, wasAnswered);
  }

  /** The batch of that id, while somebody waits for an answer of it. */
  batch(id: string): SentBatch | undefined {
    return this.#sent.get(id);
  }

  /** Forgets a batch of which nobody waits for anything any more. */
  forgetAnswered(batch: SentBatch): void {
    if (!batch.questions.some(({ isWaitedFor }) => isWaitedFor)) this.#sent.delete(batch.id);
  }

  /** Takes a question out that nobody waits for: of what has not been sent, of the queue, or of the node that runs it. */
  leave(question: Question): void {
    this.ended(question, false);
    if (this.#lane.remove(question) || !question.batch) return;
    void this.#cancel(question.batch, question).catch(() => undefined);
  }

  /** Somebody wants to hear how far a question has come that nobody listened to when it was sent. */
  listen(question: Question): void {
    if (question.item.isListenedTo) return;
    question.item.isListenedTo = true;
    if (!question.batch) return;
    this.#late.add(question);
    this.#sayListens(question);
  }

  /** What waits and runs in the queue, and what has not been sent yet. */
  async depths(): Promise<MetricSample[]> {
    const { name } = this.#options;
    const { wait, prioritized, active } = await this.#queue.getJobCounts('wait', 'prioritized', 'active');
    return [
      [wait + prioritized, { queue: name, state: 'waiting' }],
      [active, { queue: name, state: 'running' }],
      [this.#lane.size, { queue: name, state: 'unsent' }],
    ];
  }

  /** Looks after what was sent so long ago: takes up answers whose message was lost, and puts in again what Redis lost. */
  async lookAfter(sentBeforeMs: number): Promise<void> {
    const old = [...this.#sent.values()].filter(({ sentAt }) => performance.now() - sentAt >= sentBeforeMs);
    await Promise.allSettled(old.map((batch) => this.#lookAfter(batch)));
  }

  /** Ends everything that was put in: whoever waits hears `closing`. */
  async close(closing: AppError): Promise<void> {
    const batches = [...this.#sent.values()];
    const asked = [...this.#lane.clear(), ...batches.flatMap(({ questions }) => questions)];
    for (const question of asked) this.#options.refuse(question, closing);
    const drops = batches.map(async (batch) => {
      for (const question of batch.questions) await this.#cancel(batch, question);
    });
    await Promise.allSettled(drops);
    await this.#queue.close();
  }

  /** Answers what is known, and puts the rest into the queue as one job. */
  async #send(waiting: Question[]): Promise<void> {
    const { results, answer, refuse } = this.#options;
    try {
      const stored = await results.read(waiting.map(({ item }) => item.id));
      stored.forEach((text, n) => {
        if (text !== null) answer(waiting[n], text, 'stored');
      });
      const questions = waiting.filter(({ isWaitedFor }) => isWaitedFor);
      if (questions.length === 0) return;
      await this.#room.take();
      await this.#add({ id: randomUUID(), queue: this.#options.name, questions, sentAt: performance.now() });
    } catch (error) {
      const isRefusal = error instanceof AppError;
      // Where Redis is away, those behind would each wait as long to hear the same.
      const refused = isRefusal ? waiting : [...waiting, ...this.#lane.clear()];
      for (const question of refused) refuse(question, isRefusal ? error : redisUnavailable(error));
    }
  }

  async #add(batch: SentBatch): Promise<void> {
    const { gateway, name } = this.#options;
    const { id, questions } = batch;
    for (const question of questions) question.batch = batch;
    this.#sent.set(id, batch);
    const items = questions.map(({ item }) => item);
    const priority = queueShares[name] === 1 ? { priority: this.#rank(batch) } : {};
    await this.#queue.add(items[0].name, { gateway, items }, { jobId: id, ...priority });
    // Those who left meanwhile have found nothing to take out of the queue.
    for (const question of questions) if (!question.isWaitedFor) await this.#cancel(batch, question);
  }

  /** How many jobs of the same owner are under way: the first goes before another's second. */
  #rank({ questions: [{ owner }] }: SentBatch): number {
    let rank = 0;
    for (const { questions } of this.#sent.values()) if (questions[0].owner === owner) rank++;
    return rank;
  }

  /** Tells the nodes that nobody waits for an item any more, and takes a batch out of which nobody waits for any. */
  async #cancel(batch: SentBatch, question: Question): Promise<void> {
    const index = batch.questions.indexOf(question);
    if (!batch.questions.some(({ isWaitedFor }) => isWaitedFor)) {
      this.#sent.delete(batch.id);
      // Removing fails while the job is running: then a node hears of it.
      await this.#queue.remove(batch.id).catch(() => undefined);
    }
    const key = cancelledKey(batch.id);
    await this.#options.redis
      .multi()
      .sadd(key, index)
      .expire(key, cancelledSeconds)
      .publish(cancelChannel, `${batch.id} ${index}`)
      .exec();
  }

  #sayListens({ item }: Question): void {
    void this.#options.redis.publish(listenChannel, item.id).catch(() => undefined);
  }

  async #lookAfter(batch: SentBatch): Promise<void> {
    const stored = await QueuedJob.fromId<Batch, Outcome[]>(this.#queue, batch.id);
    if (!this.#sent.has(batch.id)) return;
    if (!stored) return this.#add(batch);
    // A node that had not begun when this was said first has not heard it.
    for (const question of batch.questions) if (this.#late.has(question)) this.#sayListens(question);
    const state = await stored.getState();
    if (state === 'prioritized') await growOld(stored);
    else if (state === 'failed') this.#fail(batch, stored.failedReason);
    else if (state === 'completed') await this.#takeUp(batch, stored.returnvalue);
  }

  #fail({ questions }: SentBatch, why: string): void {
    const error = new AppError('unexpected', 'unexpected error', { cause: new Error(why) });
    for (const question of questions) this.#options.refuse(question, error);
  }

  /** Hands out the answers of a batch that is done and whose replies have not come. */
  async #takeUp(batch: SentBatch, outcomes: readonly Outcome[]): Promise<void> {
    const { results, answer, refuse, askAgain } = this.#options;
    const found = await results.look(batch.questions.map(({ item }) => item.id));
    batch.questions.forEach((question, index) => {
      if (!question.isWaitedFor) return;
      const outcome = outcomes[index];
      const result = found[index];
      if (outcome && outcome !== 'elsewhere') refuse(question, errorFromData(outcome.error));
      else if (result && result !== 'claimed') answer(question, result.result, 'computed');
      // Whoever computes it tells its end. If nobody does, the result or the one who computed it is gone.
      else if (!(outcome === 'elsewhere' && result === 'claimed')) askAgain(question);
    });
    this.forgetAnswered(batch);
  }
}

/** A job that waits goes up as time passes: however many first ones of others keep coming, it has its turn. */
async function growOld(stored: QueuedJob): Promise<void> {
  if (stored.priority > 1) await stored.changePriority({ priority: Math.ceil(stored.priority / 2) });
}
