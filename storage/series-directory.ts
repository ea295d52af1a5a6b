import type { Redis } from 'ioredis';
import { seriesId } from './candle-block.js';
import type { Series, SeriesKey, SeriesRepository } from './series.js';

/** The channel on which writers of candles tell which series have changed: ids, separated by spaces. */
const channel = 'tidemark:series';

/** The longest a change can stay unseen when its message was lost. */
const longestAgeMs = 5_000;

/** Tells every directory that series have changed. Directories see it in time even if this fails. */
export const announceSeries =
  (redis: Redis) =>
  async (ids: readonly string[]): Promise<void> => {
    await redis.publish(channel, ids.join(' ')).catch(() => undefined);
  };

/** Series by key, kept in memory for as long as nobody tells that they have changed. */
export class SeriesDirectory {
  readonly #source: Pick<SeriesRepository, 'find'>;
  readonly #subscriber: Redis;
  readonly #cached = new Map<string, { series: Series; until: number }>();
  /** Counts changes: what was read while something changed is not kept. */
  #changes = 0;
  #listening = false;

  /** `subscriber` is a connection of the directory's own. */
  constructor(source: Pick<SeriesRepository, 'find'>, subscriber: Redis) {
    this.#source = source;
    this.#subscriber = subscriber;
    subscriber.on('message', (_channel, ids: string) => {
      this.#changes++;
      for (const id of ids.split(' ')) this.#cached.delete(id);
    });
    subscriber.on('ready', () => void this.#listen());
    subscriber.on('close', () => {
      this.#listening = false;
      this.#cached.clear();
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
