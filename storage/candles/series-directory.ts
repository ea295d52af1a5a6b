import type { Redis } from 'ioredis';
import type { ResearchInterval } from '../../compute/model/interval.js';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import { seriesId, type Series, type SeriesKey } from './series.js';
import { tellLive } from '../live/live-events.js';
import { ChannelListener } from '../servers/channel-listener.js';

/** The channel on which writers of candles announce changed series: their ids, separated by spaces. */
const seriesChannel = 'tidemark:series';

/** Announces that series of a pair have changed. Never rejects: caches expire by themselves if the message is lost. */
export function announceSeries(redis: Redis): (ids: readonly string[]) => Promise<void> {
  const tell = tellLive(redis);
  return async (ids) => {
    const announced = redis.publish(seriesChannel, ids.join(' ')).catch(() => undefined);
    await Promise.all([announced, tell([{ to: 'candles', name: 'candle', data: closedOf(ids) }])]);
  };
}

/** The pair of some series, and their intervals. */
function closedOf(ids: readonly string[]): object {
  const [market, pair] = ids[0].split(':');
  const [asset, tradeMarket] = pair.split('/');
  return { market, asset, tradeMarket, intervals: ids.map((id) => id.slice(id.lastIndexOf(':') + 1)) };
}

/** The ids in a message of `seriesChannel`. */
const changedSeries = (message: string): string[] => message.split(' ');

interface SeriesListener {
  /** Called with the ids of series that have changed. */
  changed: (ids: readonly string[]) => void;
  /** Called when the connection is lost; changes are missed until it is back. */
  disconnected?: () => void;
}

/** Listens for changed series on a connection that nothing else uses. Messages missed while it is lost are not repeated. */
export const listenToSeries = (
  subscriber: Redis,
  { changed, disconnected }: SeriesListener,
): ChannelListener =>
  new ChannelListener(subscriber, {
    channel: seriesChannel,
    onMessage: (message) => changed(changedSeries(message)),
    onMissed: () => disconnected?.(),
  });

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
