import type { Redis } from 'ioredis';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import { changedSeries, seriesChannel } from './series-announcements.js';
import { seriesId, type Series, type SeriesKey, type SeriesRepository } from './series.js';

/** How long a change stays unseen at most when its message was lost. */
const longestAgeMs = 5_000;
const mostCached = 20_000;

/** Series by key, cached in memory until a message says that they have changed. */
export class SeriesDirectory {
  readonly #source: Pick<SeriesRepository, 'find'>;
  readonly #cache: SubscribedCache<Series>;

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis) {
    this.#source = source;
    this.#cache = new SubscribedCache(subscriber, {
      channel: seriesChannel,
      max: mostCached,
      onMessage: (message, cache) => {
        for (const id of changedSeries(message)) cache.delete(id);
      },
    });
  }

  /** The series; null if no candle of it is stored. */
  async find(key: SeriesKey): Promise<Series | null> {
    const id = seriesId(key);
    return this.#cache.get(id, performance.now()) ?? this.#cache.read(id, () => this.#load(key));
  }

  close(): void {
    this.#cache.close();
  }

  async #load(key: SeriesKey): Promise<CachedValue<Series> | null> {
    const series = await this.#source.find(key);
    return series && { value: series, untilMs: performance.now() + longestAgeMs };
  }
}
