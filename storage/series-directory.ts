import type { Redis } from 'ioredis';
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
  readonly #subscriber: Redis;
  readonly #redis: Redis;
  readonly #cached = new Map<string, { series: Series; until: number }>();
  readonly #versions = new Map<Market, { version: string; until: number }>();
  /** Counts changes: what was read while something changed is not kept. */
  #changes = 0;
  #listening = false;

  /** `subscriber` is a connection of the directory's own, `redis` one for questions. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis, redis: Redis) {
    this.#source = source;
    this.#redis = redis;
    this.#subscriber = subscriber;
    subscriber.on('message', (_channel, ids: string) => {
      this.#changes++;
      this.#versions.clear();
      for (const id of ids.split(' ')) this.#cached.delete(id);
    });
    subscriber.on('ready', () => void this.#listen());
    subscriber.on('close', () => {
      this.#listening = false;
      this.#cached.clear();
      this.#versions.clear();
    });
    if (subscriber.status === 'ready') void this.#listen();
  }

  /** The series, or null if no candle of it is stored. */
  async find(key: SeriesKey): Promise<Series | null> {
    const id = seriesId(key);
    const cached = this.#cached.get(id);
    if (cached && cached.until > Date.now()) return cached.series;
    const before = this.#changes;
    const series = await this.#source.find(key);
    if (series && this.#listening && this.#changes === before) {
      this.#cached.set(id, { series, until: Date.now() + longestAgeMs });
    }
    return series;
  }

  /** Changes whenever any series of the market does: the same version, the same candles. */
  async version(market: Market): Promise<string> {
    const cached = this.#versions.get(market);
    if (cached && cached.until > Date.now()) return cached.version;
    const before = this.#changes;
    const version = (await this.#redis.get(versionKey(market))) ?? '0';
    if (this.#listening && this.#changes === before)
      this.#versions.set(market, { version, until: Date.now() + longestAgeMs });
    return version;
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
