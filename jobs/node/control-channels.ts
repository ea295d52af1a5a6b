import type { Redis } from 'ioredis';
import { cancelChannel, listenChannel } from '../requests/wire.js';
import type { RunningItems } from './running-items.js';

/** Subscribes to the messages of gateways on running items: cancel one, or report its progress. */
export class ControlChannels {
  readonly #subscriber: Redis;

  /** `subscriber` is a connection for this alone. */
  constructor(subscriber: Redis, running: RunningItems) {
    this.#subscriber = subscriber;
    subscriber.on('error', () => undefined);
    subscriber.on('message', (channel, message: string) =>
      channel === cancelChannel ? running.cancel(message) : running.wantProgress(message),
    );
  }

  /** Resolves when messages are received. */
  async open(): Promise<void> {
    await this.#subscriber.subscribe(cancelChannel, listenChannel);
  }

  close(): void {
    this.#subscriber.disconnect();
  }
}
