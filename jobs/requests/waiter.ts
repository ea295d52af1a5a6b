import { AppError } from '../../compute/model/errors.js';
import type { RequestOutcome } from '../../storage/process/metrics.js';
import type { Span, TraceContext } from '../../storage/process/tracing.js';
import type { TextAnswer } from './recent-answers.js';
import type { JobProgress } from './wire.js';

/** Where a result came from: a run on a node, or a store. */
export type ResultSource = 'computed' | 'stored';

export interface WaiterOptions {
  /** By the clock of Redis, in ms. */
  deadline: number;
  limitMs: number;
  onProgress: ((progress: JobProgress) => void) | undefined;
  span: Span | undefined;
  /** Called once, with how the call ended. */
  onEnd: (outcome: RequestOutcome) => void;
}

/** One call that waits for a result. Several calls may wait for the same request. */
export class Waiter {
  readonly deadline: number;
  readonly limitMs: number;
  readonly onProgress: ((progress: JobProgress) => void) | undefined;
  readonly span: Span | undefined;
  /** Whether an equal request was open before. */
  joined = false;
  /** Resolves or rejects when the waiter is settled. */
  readonly answer: Promise<TextAnswer>;
  readonly #onEnd: (outcome: RequestOutcome) => void;
  #resolve!: (answer: TextAnswer) => void;
  #reject!: (error: AppError) => void;

  constructor({ deadline, limitMs, onProgress, span, onEnd }: WaiterOptions) {
    this.deadline = deadline;
    this.limitMs = limitMs;
    this.onProgress = onProgress;
    this.span = span;
    this.#onEnd = onEnd;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Gives the result or error to the call. `run` is the span of the run that computed it. */
  settle(result: TextAnswer | AppError, source: ResultSource, run?: TraceContext): void {
    const outcome = outcomeOf(result, this.joined ? 'joined' : source);
    // The run belongs to the trace of the first waiter. Others link to it.
    if (this.joined && run) this.span?.link(run);
    this.span?.set({ 'tidemark.answered': outcome });
    this.span?.end(result instanceof AppError ? result.code : undefined);
    this.#onEnd(outcome);
    if (result instanceof AppError) this.#reject(result);
    else this.#resolve(result);
  }
}

const refusals: readonly string[] = ['queue_full', 'redis_unavailable'];

/** How a request ended, for the metrics. */
function outcomeOf(result: TextAnswer | AppError, source: RequestOutcome): RequestOutcome {
  if (!(result instanceof AppError)) return source;
  if (result.code === 'cancelled') return 'cancelled';
  return refusals.includes(result.code) ? 'refused' : 'failed';
}
