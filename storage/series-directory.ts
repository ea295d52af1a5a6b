import type { Redis } from 'ioredis';
import { ChannelListener } from './channel-listener.js';
import { seriesId } from './candle-block.js';
import type { Market, Series, SeriesKey, SeriesRepository } from './series.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** The longest a change can stay unseen when its message was lost. */
const longestAgeMs = 5_000;

/** Tells every directory that series have changed. Directories see it in time even if this fails. */
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

const versionKey = (market: Market) => `tidemark:version:${market}`;

/** Series by key, kept in memory for as long as nobody tells that they have changed. */
export class SeriesDirectory {
  readonly #source: Pick<SeriesRepository, 'find'>;
  readonly #listener: ChannelListener;
  readonly #redis: Redis;
  readonly #cached = new Map<string, { series: Series; until: number }>();
  readonly #versions = new Map<Market, { version: string; until: number }>();

  /** `subscriber` is a connection of the directory's own, `redis` one for questions. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis, redis: Redis) {
    this.#source = source;
    this.#redis = redis;
    this.#listener = new ChannelListener(subscriber, {
      channel,
      heard: (ids) => {
        this.#versions.clear();
        for (const id of ids.split(' ')) this.#cached.delete(id);
      },
      lost: () => {
        this.#cached.clear();
        this.#versions.clear();
      },
    });
  }

  /** The series, or null if no candle of it is stored. */
  async find(key: SeriesKey): Promise<Series | null> {
    const id = seriesId(key);
    const cached = this.#cached.get(id);
    if (cached && cached.until > Date.now()) return cached.series;
    const { mark } = this.#listener;
    const series = await this.#source.find(key);
    if (series && this.#listener.isUnchangedSince(mark)) {
      this.#cached.set(id, { series, until: Date.now() + longestAgeMs });
    }
    return series;
  }

  /** Changes whenever any series of the market does: the same version, the same candles. */
  async version(market: Market): Promise<string> {
    const cached = this.#versions.get(market);
    if (cached && cached.until > Date.now()) return cached.version;
    const { mark } = this.#listener;
    const version = (await this.#redis.get(versionKey(market))) ?? '0';
    if (this.#listener.isUnchangedSince(mark))
      this.#versions.set(market, { version, until: Date.now() + longestAgeMs });
    return version;
  }

  close(): void {
    this.#listener.close();
  }
}
