import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';

/** Cancellations reach the gateway that runs a call by this channel. */
const channel = 'tidemark:mcp:cancelled';

/**
 * The calls that this gateway runs. The cancellation of a call is a request of its own, perhaps at another gateway, so it is
 * published to all gateways. Its key names the caller, so no caller can cancel the calls of others.
 */
export class RunningCalls {
  readonly #redis: Redis;
  readonly #listener: ChannelListener;
  readonly #running = new Map<string, Set<AbortController>>();

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(redis: Redis, subscriber: Redis) {
    this.#redis = redis;
    this.#listener = new ChannelListener(subscriber, {
      channel,
      onMessage: (key) => this.#abort(key),
      onMissed: () => undefined,
    });
  }

  /** Runs a call. It ends on `cancel` with the same key, or when the signal that `ending` returns is aborted. */
  async run<T>(
    key: string,
    ending: () => AbortSignal,
    work: (ending: () => AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const calls = this.#running.get(key) ?? new Set();
    this.#running.set(key, calls.add(controller));
    try {
      return await work(firstAborted(ending, () => controller.signal));
    } finally {
      calls.delete(controller);
      if (calls.size === 0) this.#running.delete(key);
    }
  }

  /** Ends the calls with the key, here and at other gateways. */
  async cancel(key: string): Promise<void> {
    this.#abort(key);
    await this.#redis.publish(channel, key).catch(() => 0);
  }

  close(): void {
    this.#listener.close();
  }

  #abort(key: string): void {
    for (const controller of this.#running.get(key) ?? [])
      controller.abort(new AppError('cancelled', 'the client has cancelled the call'));
  }
}

/**
 * Returns a function for a signal that is aborted with the first of several. The signal is made at first use: most calls end
 * before anything has to wait, and combining signals costs more than the look-up that answers such a call.
 */
export function firstAborted(...signals: (() => AbortSignal)[]): () => AbortSignal {
  let first: AbortSignal | undefined;
  return () => (first ??= AbortSignal.any(signals.map((signal) => signal())));
}
