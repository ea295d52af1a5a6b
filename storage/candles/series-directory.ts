import type { Redis } from 'ioredis';
import type { ResearchInterval } from '../../compute/model/interval.js';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import { changedSeries, seriesChannel } from './series-announcements.js';
import { seriesId, type Series, type SeriesKey } from './series.js';

/** How long a change stays unseen at most when its message was lost. */
const longestAgeMs = 5_000;
const mostCached = 20_000;

/** Where series are found: `SeriesRepository`. */
interface SeriesSource {
  find(key: SeriesKey<ResearchInterval>): Promise<Series<ResearchInterval> | null>;
}

/** Series by key, cached in memory until a message says that they have changed. */
export class SeriesDirectory {
  readonly #source: SeriesSource;
  readonly #cache: SubscribedCache<Series<ResearchInterval>>;

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(source: SeriesSource, subscriber: Redis) {
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
  async find<I extends ResearchInterval>(key: SeriesKey<I>): Promise<Series<I> | null> {
    const id = seriesId(key);
    const found = this.#cache.get(id, performance.now()) ?? this.#cache.read(id, () => this.#load(key));
    // The id names the interval.
    return found as Promise<Series<I> | null>;
  }

  close(): void {
    this.#cache.close();
  }

  async #load(key: SeriesKey<ResearchInterval>): Promise<CachedValue<Series<ResearchInterval>> | null> {
    const series = await this.#source.find(key);
    return series && { value: series, untilMs: performance.now() + longestAgeMs };
  }
}
