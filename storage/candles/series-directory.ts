import type { Redis } from 'ioredis';
import type { ChannelListener } from '../servers/channel-listener.js';
import { seriesId, type Series, type SeriesKey, type SeriesRepository } from './series.js';
import { listenToSeries } from './series-announcements.js';

/** The longest a change can stay unseen when its message was lost. */
const longestAgeMs = 5_000;

/** Series by key, kept in memory for as long as nobody tells that they have changed. */
export class SeriesDirectory {
  readonly #source: Pick<SeriesRepository, 'find'>;
  readonly #listener: ChannelListener;
  /** `until` is of performance.now(). */
  readonly #cached = new Map<string, { series: Series; until: number }>();
  /** Reads under way: those who ask at the same moment share one. */
  readonly #reads = new Map<string, { mark: number; series: Promise<Series | null> }>();

  /** `subscriber` is a connection of the directory's own. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis) {
    this.#source = source;
    this.#listener = listenToSeries(subscriber, {
      changed: (ids) => {
        for (const id of ids) this.#cached.delete(id);
      },
      deaf: () => this.#cached.clear(),
    });
  }

  /** The series, or null if no candle of it is stored. */
  async find(key: SeriesKey): Promise<Series | null> {
    const id = seriesId(key);
    const cached = this.#cached.get(id);
    if (cached && cached.until > performance.now()) return cached.series;
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
        this.#cached.set(id, { series, until: performance.now() + longestAgeMs });
      }
      return series;
    } finally {
      if (this.#reads.get(id) === read) this.#reads.delete(id);
    }
  }

  close(): void {
    this.#listener.close();
  }
}
