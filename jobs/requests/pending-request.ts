import { AppError } from '../../compute/model/errors.js';
import type { QueueName } from '../../storage/cluster/queues.js';
import type { Span } from '../../storage/process/tracing.js';
import type { Job } from '../job.js';
import type { TextAnswer } from './recent-answers.js';
import type { ResultSource, Waiter } from './waiter.js';
import type { JobProgress, RequestItem } from './wire.js';

/** The properties of a job that a gateway needs to request it. */
export type RequestedJob = Pick<
  Job<string, unknown, unknown>,
  'name' | 'queue' | 'timeoutMs' | 'share' | 'keepMs'
>;

/** Requests that were put into a queue as one job. */
export interface SentBatch {
  id: string;
  queue: QueueName;
  requests: PendingRequest[];
  /** A time of performance.now(). */
  sentAt: number;
}

export interface PendingRequestOptions {
  job: RequestedJob;
  item: RequestItem;
  /** Owners take turns in the queue. */
  owner: string;
  /** The share of a batch that it takes, 0 to 1. */
  share: number;
}

/** A request that has no result yet, and all calls that wait for it. */
export class PendingRequest {
  readonly job: RequestedJob;
  readonly item: RequestItem;
  readonly owner: string;
  readonly share: number;
  readonly waiters: Set<Waiter>;
  /** The span of the first waiter. */
  readonly span: Span | undefined;
  /** The batch it was sent with; null before. */
  batch: SentBatch | null = null;
  readonly #options: PendingRequestOptions;
  /** The last progress that the job has reported. */
  #progress: JobProgress | null = null;
  /** The progress for callers before the job has reported any. */
  #early: JobProgress = { phase: 'queued', fraction: 0 };

  constructor(options: PendingRequestOptions, waiters: Iterable<Waiter>) {
    this.#options = options;
    this.job = options.job;
    this.item = options.item;
    this.owner = options.owner;
    this.share = options.share;
    this.waiters = new Set(waiters);
    [{ span: this.span }] = this.waiters;
  }

  get hasWaiters(): boolean {
    return this.waiters.size > 0;
  }

  /** Adds a waiter and gives it the progress so far. */
  join(waiter: Waiter): void {
    waiter.joined = true;
    this.waiters.add(waiter);
    waiter.onProgress?.(this.#progress ?? this.#early);
  }

  /** Whether a caller wants progress and the job has reported none. */
  get awaitsProgress(): boolean {
    return this.item.isListenedTo === true && this.#progress === null;
  }

  /** Passes on that the job waits or runs, unless it has reported progress itself. */
  reportEarly(progress: JobProgress): void {
    if (this.#progress) return;
    this.#early = progress;
    for (const { onProgress } of this.waiters) onProgress?.(progress);
  }

  /** Passes progress on. Progress that falls back, because the job started again elsewhere, is left out. */
  report(progress: JobProgress): void {
    if (progress.fraction <= (this.#progress?.fraction ?? -1)) return;
    this.#progress = progress;
    for (const { onProgress } of this.waiters) onProgress?.(progress);
  }

  /**
   * Settles all waiters, once. A time limit settles only waiters whose own time is over. Returns the request to send again
   * for the others; null when there are none.
   */
  settle(result: TextAnswer | AppError, source: ResultSource, run = this.item.trace): PendingRequest | null {
    const isLate = result instanceof AppError && result.code === 'time_limit';
    // A caller that has received progress also receives its end.
    if (!(result instanceof AppError) && this.#progress) this.report({ ...this.#progress, fraction: 1 });
    const rest: Waiter[] = [];
    for (const waiter of this.waiters) {
      if (isLate && waiter.deadline > this.item.deadline) rest.push(waiter);
      else waiter.settle(result, source, run);
    }
    this.waiters.clear();
    return this.#againFor(rest);
  }

  /** The same request to send again, with all waiters; null when there are none. */
  again(): PendingRequest | null {
    const waiters = [...this.waiters];
    this.waiters.clear();
    return this.#againFor(waiters);
  }

  #againFor(waiters: readonly Waiter[]): PendingRequest | null {
    if (waiters.length === 0) return null;
    const [{ limitMs, deadline, span }] = waiters;
    const isListenedTo = waiters.some(({ onProgress }) => onProgress);
    const trace = span && { trace: span.context };
    const item = { ...this.item, limitMs, deadline, isListenedTo, ...trace };
    const again = new PendingRequest({ ...this.#options, item }, waiters);
    again.#progress = this.#progress;
    return again;
  }
}
