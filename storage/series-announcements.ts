import type { Redis } from 'ioredis';
import type { Market } from './series.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** Where Redis counts the changes of a market. */
export const versionKey = (market: Market): string => `tidemark:version:${market}`;

/** Tells everyone who listens that series have changed. They see it in time even if this fails. */
export const announceSeries =
  (redis: Redis) =>
  async (ids: readonly string[]): Promise<void> => {
    const markets = new Set(ids.map((id) => id.split(':')[0]));
    const told = redis.multi();
    for (const market of markets) told.incr(versionKey(market));
    await told
      .publish(channel, ids.join(' '))
      .exec()
      .catch(() => undefined);
  };

export interface SeriesListener {
  /** Series, by id, that have changed. */
  changed: (ids: readonly string[]) => void;
  /** Nothing is heard any more, until the connection is back. */
  deaf?: () => void;
}

/** Hears of changed series while its connection, which is its own, is there; what is told meanwhile is not told again. */
export class SeriesAnnouncements {
  readonly #subscriber: Redis;
  #listening = false;

  constructor(subscriber: Redis, { changed, deaf }: SeriesListener) {
    this.#subscriber = subscriber;
    subscriber.on('message', (_channel, ids: string) => changed(ids.split(' ')));
    subscriber.on('ready', () => void this.#listen());
    subscriber.on('close', () => {
      this.#listening = false;
      deaf?.();
    });
    if (subscriber.status === 'ready') void this.#listen();
  }

  /** Whether what is told now is heard. */
  get listening(): boolean {
    return this.#listening;
  }

  close(): void {
    this.#subscriber.disconnect();
  }

  async #listen(): Promise<void> {
    try {
      await this.#subscriber.subscribe(channel);
      this.#listening = true;
    } catch {
      // The connection is lost again: the next one listens anew.
    }
  }
}
