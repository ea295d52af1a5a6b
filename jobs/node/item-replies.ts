import type { Redis } from 'ioredis';
import type { ResultStore } from '../requests/result-store.js';
import { encodeReply, encodeResult, listenChannel } from '../requests/wire.js';
import type { ItemRun } from './item-run.js';
import type { RunOutcome } from './item-runner.js';

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
