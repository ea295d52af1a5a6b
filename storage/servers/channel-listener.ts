import type { Redis } from 'ioredis';

export interface ListenerOptions {
  channel: string;
  heard: (message: string) => void;
  /** The connection is lost: what comes until the next one is not heard. */
  lost: () => void;
}

/** Hears what is told on a channel of Redis, and knows whether something can have been missed. */
export class ChannelListener {
  readonly #subscriber: Redis;
  readonly #channel: string;
  #listening = false;
  #heard = 0;

  /** `subscriber` is a connection of the listener's own. */
  constructor(subscriber: Redis, { channel, heard, lost }: ListenerOptions) {
    this.#subscriber = subscriber;
    this.#channel = channel;
    subscriber.on('message', (_channel, message: string) => {
      this.#heard++;
      heard(message);
    });
    subscriber.on('ready', () => void this.#listen());
    subscriber.on('close', () => {
      this.#listening = false;
      this.#heard++;
      lost();
    });
    if (subscriber.status === 'ready') void this.#listen();
  }

  /** A mark of now, to ask later what `isUnchangedSince`. */
  get mark(): number {
    return this.#heard;
  }

  /** Whether nothing was told since the mark, and nothing can have been missed: what was read since then may be kept. */
  isUnchangedSince(mark: number): boolean {
    return this.#listening && this.#heard === mark;
  }

  /** Notes a change that this process knows without a message: what was read before it may not be kept. */
  noteChange(): void {
    this.#heard++;
  }

  close(): void {
    this.#subscriber.disconnect();
  }

  async #listen(): Promise<void> {
    try {
      await this.#subscriber.subscribe(this.#channel);
      // What was told before this was not heard: a mark of then proves nothing.
      this.#heard++;
      this.#listening = true;
    } catch {
      // The connection is lost again: the next one listens anew.
    }
  }
}
