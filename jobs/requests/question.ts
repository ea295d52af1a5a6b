import { AppError } from '../../compute/model/errors.js';
import type { RequestOutcome } from '../../storage/process/metrics.js';
import type { Span, TraceContext } from '../../storage/process/tracing.js';
import type { Answer, Job, QueueName } from '../job.js';
import type { Item, Progress, Timings } from './wire.js';

/** What a gateway has to know of a job to ask for it. */
export type AskedJob = Pick<
  Job<string, unknown, unknown>,
  'name' | 'queue' | 'timeoutMs' | 'share' | 'keepMs'
>;

/** Where an answer was found. */
export type Found = 'computed' | 'stored';

/** One who waits for an answer. */
export interface Caller {
  /** By the clock of Redis. */
  deadline: number;
  limitMs: number;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Whether somebody asked the same before. */
  joined: boolean;
  /** The span of its question. */
  span: Span | undefined;
  /** `computation` is the span of the run that answered. */
  settle: (answer: Answer | AppError, found: Found, computation?: TraceContext) => void;
}

/** Questions that were put into a queue as one job. */
export interface SentBatch {
  id: string;
  queue: QueueName;
  questions: Question[];
  /** By performance.now(). */
  sentAt: number;
}

/** A question under way, and all who wait for its answer. */
export class Question {
  readonly job: AskedJob;
  readonly item: Item;
  /** Whose it is, and its share of a batch. */
  readonly owner: string;
  readonly share: number;
  readonly callers: Set<Caller>;
  /** The span of the one who asked first. */
  readonly span: Span | undefined;
  /** Where it lies once it was sent. */
  batch: SentBatch | null = null;
  #progress: Progress | null = null;

  constructor(job: AskedJob, item: Item, owner: string, share: number, callers: Iterable<Caller>) {
    this.job = job;
    this.item = item;
    this.owner = owner;
    this.share = share;
    this.callers = new Set(callers);
    [{ span: this.span }] = this.callers;
  }

  get isWaitedFor(): boolean {
    return this.callers.size > 0;
  }

  /** One more waits, and hears how far it has come. */
  join(caller: Caller): void {
    caller.joined = true;
    this.callers.add(caller);
    if (this.#progress) caller.onProgress?.(this.#progress);
  }

  /** Tells everybody who listens how far it has come; that it began anew elsewhere is nobody's concern. */
  tell(progress: Progress): void {
    if (progress.fraction <= (this.#progress?.fraction ?? -1)) return;
    this.#progress = progress;
    for (const { onProgress } of this.callers) onProgress?.(progress);
  }

  /**
   * Hands out the answer, once. Callers whose own time is not over are not given the end of another's: for them it is
   * asked again.
   */
  settle(outcome: Answer | AppError, found: Found, computation = this.item.trace): Question | null {
    const isLate = outcome instanceof AppError && outcome.code === 'time_limit';
    // Whoever has heard how far it came hears that it has come to its end.
    if (!(outcome instanceof AppError) && this.#progress) this.tell({ ...this.#progress, fraction: 1 });
    const rest: Caller[] = [];
    for (const caller of this.callers) {
      if (isLate && caller.deadline > this.item.deadline) rest.push(caller);
      else caller.settle(outcome, found, computation);
    }
    this.callers.clear();
    return this.#againFor(rest);
  }

  /** The same to be asked anew, for all who wait. */
  again(): Question | null {
    const callers = [...this.callers];
    this.callers.clear();
    return this.#againFor(callers);
  }

  #againFor(callers: readonly Caller[]): Question | null {
    if (callers.length === 0) return null;
    const [{ limitMs, deadline, span }] = callers;
    const isListenedTo = callers.some(({ onProgress }) => onProgress);
    const trace = span && { trace: span.context };
    const item = { ...this.item, limitMs, deadline, isListenedTo, ...trace };
    const again = new Question(this.job, item, this.owner, this.share, callers);
    again.#progress = this.#progress;
    return again;
  }
}

/** What travels of a result, as its callers are given it. */
export const answerOf = (text: string, timings: Timings): Answer => ({
  result: JSON.parse(text) as unknown,
  timings,
});

/** How a question ended, for the metrics. */
export function howAnswered(outcome: Answer | AppError, found: RequestOutcome): RequestOutcome {
  if (!(outcome instanceof AppError)) return found;
  if (outcome.code === 'cancelled') return 'cancelled';
  return ['queue_full', 'redis_unavailable'].includes(outcome.code) ? 'refused' : 'failed';
}
