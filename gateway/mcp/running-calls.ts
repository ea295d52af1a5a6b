import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { ChannelListener } from '../../storage/servers/channel-listener.js';
import type { JobProgress } from '../../jobs/requests/job-client.js';

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

/** A signal that follows another one until its call is answered. */
interface FollowingSignal {
  /** The signal. It is made at first use, because most calls end before anything has to wait. */
  signal: () => AbortSignal;
  /** Called when the call is answered: from then on the signal is not aborted. */
  answered: () => void;
}

/**
 * Follows the SDK's signal of a call until the call is answered. The SDK aborts it after the answer, too, when it closes the
 * stream; a long call that has answered with an id must go on.
 */
export function untilAnswered(source: AbortSignal): FollowingSignal {
  let following: AbortController | undefined;
  let isAnswered = false;
  const follow = () => following?.abort(source.reason);
  return {
    signal() {
      if (following) return following.signal;
      following = new AbortController();
      if (source.aborted && !isAnswered) follow();
      else if (!isAnswered) source.addEventListener('abort', follow, { once: true });
      return following.signal;
    },
    answered() {
      isAnswered = true;
      source.removeEventListener('abort', follow);
    },
  };
}

/** Progress of a running call is sent at least this often. */
const everyMs = 1_500;

/** The parameters of a progress notification, without its token. */
interface ProgressParams {
  progress: number;
  total: number;
  message: string;
}

/**
 * The progress of one call. Each report is sent at once and repeated until the next report, because some clients give up
 * without progress. The figure must rise with each message, so a repetition adds a hundredth of the remainder.
 */
export class CallProgress {
  readonly #send: (params: ProgressParams) => void;
  readonly #repeating: NodeJS.Timeout;
  #sent = 0;
  #phase = 'queued';

  constructor(send: (params: ProgressParams) => void) {
    this.#send = send;
    this.#repeating = setInterval(() => this.#rise(this.#sent + (1 - this.#sent) / 100), everyMs);
  }

  report({ fraction, phase }: JobProgress): void {
    this.#phase = phase;
    if (fraction > this.#sent) this.#rise(fraction);
  }

  /** Stops repeating. */
  close(): void {
    clearInterval(this.#repeating);
  }

  #rise(progress: number): void {
    this.#sent = progress;
    this.#send({ progress, total: 1, message: this.#phase });
  }
}
