import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import type { Interval } from '../../compute/model/interval.js';
import type { Gap } from './gaps.js';

/** Where candles come from: `demo`, `csv` or the id of an exchange; the candles of each market are kept apart. */
export type Market = string;

export interface Pair {
  market: Market;
  base: string;
  quote: string;
}

export interface SeriesKey extends Pair {
  interval: Interval;
}

/** Identifies a series: `<market>:<base>/<quote>:<interval>`. */
export const seriesId = ({ market, base, quote, interval }: SeriesKey): string =>
  `${market}:${base}/${quote}:${interval}`;

/**
 * What is stored of one series. It is written after the candles: candles that it does not cover are not
 * visible yet, so that a reader never sees half a write.
 */
export interface Series extends SeriesKey {
  /** Open times of the first and last closed candle in ms, UTC. */
  first: number;
  last: number;
  count: number;
  /** Missing candles between first and last, and where; the list stops at 1,000 gaps. */
  missing: number;
  gaps: Gap[];
  /** Identifies the content: two series with the same digest have the same candles. */
  digest: string;
  updatedAt: Date;
}

/** Names the candles of several series: the same candles in the same order, the same version. */
export const versionOf = (series: readonly Series[]): string =>
  createHash('sha256')
    .update(series.map(({ digest }) => digest).join())
    .digest('base64url');

type SeriesDocument = Series & { _id: string };

/** Questions about which candles are stored. */
export class SeriesRepository {
  readonly #collection: Collection<SeriesDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('series');
  }

  /** The series, or null if no candle of it is stored. */
  async find(key: SeriesKey): Promise<Series | null> {
    return this.#collection.findOne({ _id: seriesId(key) }, { projection: { _id: 0 } });
  }

  /** All series of a market, or of every market, in order of pair and interval. */
  async list(market?: Market): Promise<Series[]> {
    return this.#collection
      .find(market === undefined ? {} : { market }, { projection: { _id: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }

  /** All series of a market on one interval against one quote currency, in the order of the alphabet. */
  async traded(market: Market, quote: string, interval: Interval): Promise<Series[]> {
    return this.#collection
      .find({ market, quote, interval }, { projection: { _id: 0 } })
      .sort({ base: 1 })
      .toArray();
  }

  async put(series: Series): Promise<void> {
    const _id = seriesId(series);
    await this.#collection.replaceOne({ _id }, { ...series }, { upsert: true });
  }
}
