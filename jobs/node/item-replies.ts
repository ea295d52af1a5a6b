import type { Redis } from 'ioredis';
import type { ResultStore } from '../requests/result-store.js';
import { encodeReply, encodeResult, listenChannel, type RequestItem } from '../requests/wire.js';
import type { ItemRun } from './item-run.js';
import { type RunOutcome, outcomeNames } from './item-runner.js';
import type { Job as QueuedJob } from 'bullmq';
import type { Span, Tracing } from '../../storage/process/tracing.js';

/** Starts the span of a run, in the trace of the request; undefined when nothing is traced. */
export const startRunSpan = (
  tracing: Tracing | undefined,
  item: RequestItem,
  queued: QueuedJob,
): Span | undefined =>
  tracing?.start(`run ${item.name}`, {
    kind: 'consumer',
    parent: item.trace ?? null,
    attributes: {
      'tidemark.job': item.name,
      'tidemark.queue': queued.queueName,
      // Measured by the clocks of two machines.
      'tidemark.queue_wait_ms': Math.max(0, Date.now() - queued.timestamp),
      'tidemark.attempt': queued.attemptsStarted,
      'tidemark.request_id': item.traceId,
    },
  });

export function endRunSpan(span: Span | undefined, outcome: RunOutcome): void {
  const code = outcome.kind === 'error' ? outcome.error.code : undefined;
  span?.set({
    'tidemark.outcome': outcome.kind === 'error' ? outcome.error.code : outcomeNames[outcome.kind],
  });
  span?.end(code);
}

/**
 * Sends to gateways what runs do not send themselves: progress, errors, and results that were stored before. A gateway that
 * misses a message finds the outcome in the queue.
 */
export class ItemReplies {
  readonly #redis: Redis;
  readonly #results: ResultStore;

  constructor(redis: Redis, results: ResultStore) {
    this.#redis = redis;
    this.#results = results;
  }

  /** Sends the progress of a run to all gateways that wait for the item, if a request wants progress. */
  progress({ resultId, address, wantsProgress }: ItemRun, phase: string, fraction: number): void {
    if (!wantsProgress) return;
    const { batch, index } = address.position;
    const progress = { phase, fraction };
    this.#publish(address.channel, encodeReply({ batch, index, kind: 'progress', progress }));
    this.#results.sendProgress(resultId, progress).catch(() => undefined);
  }

  /** Sends how a run ended, if it did not send its result itself. */
  end({ item, resultId, address, timings }: ItemRun, outcome: RunOutcome): void {
    const { channel, position } = address;
    // The node that computes the item must know that a request wants progress.
    if (outcome.kind === 'elsewhere' && item.isListenedTo) this.#publish(listenChannel, resultId);
    if (outcome.kind === 'result') this.#publish(channel, encodeResult(position, timings, outcome.text));
    if (outcome.kind === 'error')
      this.#publish(channel, encodeReply({ ...position, kind: 'error', error: outcome.error }));
  }

  #publish(channel: string, message: string): void {
    void this.#redis.publish(channel, message).catch(() => undefined);
  }
}
