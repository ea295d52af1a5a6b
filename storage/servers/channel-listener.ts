import { ReplyError, type Redis } from 'ioredis';

export interface ListenerOptions {
  channel: string;
  onMessage: (message: string) => void;
  /** Messages may have been missed: the connection is lost, or a message could not be read. */
  onMissed: () => void;
  /** Messages are heard from here on: at first, and again after each lost connection. */
  onSubscribed?: () => void;
}

/** How long after a refused subscription the next one is tried: while a script of others runs, Redis refuses everything. */
const retryMs = 1_000;

/** Subscribes to a Redis channel, and knows whether a message can have been missed. */
export class ChannelListener {
  readonly #subscriber: Redis;
  readonly #channel: string;
  #isSubscribed = false;
  readonly #tellSubscribed: () => void;
  #retry: NodeJS.Timeout | undefined;
  #noteFirst!: () => void;
  #noteRefused!: (error: unknown) => void;
  /** Resolves when messages are heard for the first time. Rejects when Redis refuses. */
  readonly subscribed = new Promise<void>((resolve, reject) => {
    this.#noteFirst = resolve;
    this.#noteRefused = reject;
  });
  /** Counts messages, subscriptions and lost connections. */
  #events = 0;

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(subscriber: Redis, { channel, onMessage, onMissed, onSubscribed }: ListenerOptions) {
    this.#subscriber = subscriber;
    this.#channel = channel;
    this.#tellSubscribed = () => onSubscribed?.();
    // Without this a refusal that no caller waits for would end the process.
    this.subscribed.catch(() => undefined);
    subscriber.on('message', (_channel, message: string) => {
      this.#events++;
      try {
        onMessage(message);
      } catch {
        // Another version sent it, or another program: what it says has changed is not known.
        onMissed();
      }
    });
    subscriber.on('ready', () => void this.#subscribe());
    subscriber.on('close', () => {
      this.#isSubscribed = false;
      this.#events++;
      onMissed();
    });
    if (subscriber.status === 'ready') void this.#subscribe();
  }

  /** A mark of the present moment, for `isUnchangedSince`. */
  get mark(): number {
    return this.#events;
  }

  /** Whether no message came since the mark and none can have been missed: what was read since then may be cached. */
  isUnchangedSince(mark: number): boolean {
    return this.#isSubscribed && this.#events === mark;
  }

  /** Notes a change that this process knows without a message: what was read before it may not be kept. */
  noteChange(): void {
    this.#events++;
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#subscriber.disconnect();
  }

  async #subscribe(): Promise<void> {
    try {
      await this.#subscriber.subscribe(this.#channel);
      // Messages sent before this moment were missed, so marks from before it are no longer valid.
      this.#events++;
      this.#isSubscribed = true;
      this.#noteFirst();
      this.#tellSubscribed();
    } catch (error) {
      // Without an answer the connection is lost again; the next 'ready' event subscribes again.
      if (!(error instanceof ReplyError)) return;
      this.#noteRefused(error);
      this.#retry = setTimeout(() => void this.#subscribe(), retryMs).unref();
    }
  }
}
