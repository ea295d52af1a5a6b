import { AppError, errorFromData } from '../../compute/model/errors.js';
import { queues } from '../../storage/cluster/queues.js';
import type { TraceContext } from '../../storage/process/tracing.js';
import { PendingRequest, type RequestedJob } from './pending-request.js';
import type { QueueClient } from './queue-client.js';
import { TextAnswer, type RecentAnswers } from './recent-answers.js';
import type { RequestHandlers } from './request-handlers.js';
import type { ResultSource, Waiter } from './waiter.js';
import type { Reply, RequestItem, Timings } from './wire.js';

/** A call for a job: what is computed, for whom. */
export interface JobCall {
  /** The id of the request, as `itemId` makes it. */
  id: string;
  job: RequestedJob;
  payload: unknown;
  traceId: string;
  owner: string;
}

/** The requests of a gateway that have no result yet. Equal requests are one. */
export class PendingRequests implements RequestHandlers {
  readonly #byId = new Map<string, PendingRequest>();
  readonly #recent: RecentAnswers;
  readonly #clientOf: (request: PendingRequest) => QueueClient;

  constructor(recent: RecentAnswers, clientOf: (request: PendingRequest) => QueueClient) {
    this.#recent = recent;
    this.#clientOf = clientOf;
  }

  /** How many calls wait for a result. */
  get waiterCount(): number {
    let count = 0;
    for (const { waiters } of this.#byId.values()) count += waiters.size;
    return count;
  }

  /** The recent result of a request; null if there is none. */
  recall(id: string): TextAnswer | null {
    return this.#recent.find(id) ?? null;
  }

  /** Adds the waiter to the equal request, or sends a new one. */
  join({ id, job, payload, traceId, owner }: JobCall, waiter: Waiter): void {
    const { limitMs, deadline, onProgress, span } = waiter;
    const equal = this.#byId.get(id);
    if (equal) {
      equal.join(waiter);
      if (onProgress) this.#clientOf(equal).wantProgress(equal);
      return;
    }
    const item: RequestItem = { id, name: job.name, payload, limitMs, deadline, traceId };
    if (span) item.trace = span.context;
    if (onProgress) item.isListenedTo = true;
    const share = job.share ?? queues[job.queue].batchShare;
    const request = new PendingRequest({ job, item, owner, share }, [waiter]);
    this.#send(request);
    // A full queue refuses it at once: then nothing is under way.
    if (request.hasWaiters) onProgress?.({ phase: 'queued', fraction: 0 });
  }

  /** Removes a waiter. A request without waiters is cancelled. */
  leave(waiter: Waiter, id: string): void {
    const request = this.#byId.get(id);
    if (!request?.waiters.delete(waiter) || request.hasWaiters) return;
    this.#byId.delete(id);
    this.#clientOf(request).cancel(request);
  }

  readonly receive: RequestHandlers['receive'] = (reply, request) => {
    if (reply.kind === 'progress') request.report(reply.progress);
    else if (reply.kind === 'again') this.askAgain(request);
    else if (reply.kind === 'error')
      this.#settle(request, errorFromData(reply.error), 'computed', reply.trace);
    // A result without waiters is dropped.
    else if (request.hasWaiters) this.#answer(request, reply, 'computed');
  };

  readonly answer: RequestHandlers['answer'] = (request, text, source) =>
    this.#answer(request, { text, timings: {} }, source);

  readonly refuse: RequestHandlers['refuse'] = (request, error) => this.#settle(request, error, 'computed');

  readonly askAgain: RequestHandlers['askAgain'] = (request) => {
    this.#forget(request, false);
    this.#sendRest(request, request.again());
  };

  /** Refuses every request. */
  refuseAll(error: AppError): void {
    for (const request of this.#byId.values()) this.refuse(request, error);
  }

  #answer(
    request: PendingRequest,
    { text, timings, trace, foreign }: { text: string; timings: Timings } & Pick<Reply, 'trace' | 'foreign'>,
    source: ResultSource,
  ): void {
    // A job that sets `keepMs` has results that go out of date. A result of another engine does not belong to the id.
    if (!request.job.keepMs && !foreign) this.#recent.add(request.item.id, text);
    this.#settle(request, new TextAnswer(text, timings), source, trace);
  }

  #settle(
    request: PendingRequest,
    result: TextAnswer | AppError,
    source: ResultSource,
    run?: TraceContext,
  ): void {
    this.#forget(request, source === 'computed' && isNodeResult(result));
    this.#sendRest(request, request.settle(result, source, run));
  }

  #forget(request: PendingRequest, wasAnswered: boolean): void {
    if (this.#byId.get(request.item.id) === request) this.#byId.delete(request.item.id);
    this.#clientOf(request).noteEnd(request, wasAnswered);
  }

  /** Forgets the batch of a settled request if it was the last, and sends the request again for the waiters that are left. */
  #sendRest(request: PendingRequest, rest: PendingRequest | null): void {
    if (request.batch) this.#clientOf(request).forgetAnswered(request.batch);
    if (rest) this.#send(rest);
  }

  #send(request: PendingRequest): void {
    this.#byId.set(request.item.id, request);
    this.#clientOf(request).push(request);
  }
}

const notOfNodes: readonly string[] = ['cancelled', 'queue_full', 'redis_unavailable', 'time_limit'];

/** Whether a result or error shows that a node has worked on the request. */
const isNodeResult = (result: TextAnswer | AppError): boolean =>
  !(result instanceof AppError) || !notOfNodes.includes(result.code);
