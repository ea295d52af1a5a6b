import type { Redis } from 'ioredis';
import type { ChannelListener } from './channel-listener.js';
import { seriesId } from './candle-block.js';
import { answered } from './redis.js';
import { listenToSeries, versionKey } from './series-announcements.js';
import type { Market, Series, SeriesKey, SeriesRepository } from './series.js';

/** The longest a change can stay unseen when its message was lost. */
const longestAgeMs = 5_000;

/** Series by key, kept in memory for as long as nobody tells that they have changed. */
export class SeriesDirectory {
  readonly #source: Pick<SeriesRepository, 'find'>;
  readonly #listener: ChannelListener;
  readonly #redis: Redis;
  readonly #cached = new Map<string, { series: Series; until: number }>();
  /** Reads under way: those who ask at the same moment share one. */
  readonly #reads = new Map<string, { mark: number; series: Promise<Series | null> }>();
  readonly #versions = new Map<Market, { version: string; until: number }>();

  /** `subscriber` is a connection of the directory's own, `redis` one for questions. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis, redis: Redis) {
    this.#source = source;
    this.#redis = redis;
    this.#listener = listenToSeries(subscriber, {
      changed: (ids) => {
        this.#versions.clear();
        for (const id of ids) this.#cached.delete(id);
      },
      deaf: () => {
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
    const read = this.#reads.get(id);
    if (read && this.#listener.isUnchangedSince(read.mark)) return read.series;
    return this.#read(id, key);
  }

  async #read(id: string, key: SeriesKey): Promise<Series | null> {
    const read = { mark: this.#listener.mark, series: this.#source.find(key) };
    this.#reads.set(id, read);
    try {
      const series = await read.series;
      if (series && this.#listener.isUnchangedSince(read.mark)) {
        this.#cached.set(id, { series, until: Date.now() + longestAgeMs });
      }
      return series;
    } finally {
      if (this.#reads.get(id) === read) this.#reads.delete(id);
    }
  }

  /** Changes whenever any series of the market does: the same version, the same candles. Throws `redis_unavailable`. */
  async version(market: Market): Promise<string> {
    const cached = this.#versions.get(market);
    if (cached && cached.until > Date.now()) return cached.version;
    const { mark } = this.#listener;
    const version = (await answered(this.#redis.get(versionKey(market)))) ?? '0';
    if (this.#listener.isUnchangedSince(mark))
      this.#versions.set(market, { version, until: Date.now() + longestAgeMs });
    return version;
  }

  close(): void {
    this.#listener.close();
  }
}
