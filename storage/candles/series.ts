import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { intervals, type Interval, type ResearchInterval } from '../../compute/model/interval.js';
import { raiseFence, replaceFenced, type Fenced } from '../servers/fence.js';
import type { Gap } from './gaps.js';
import { openCollection } from '../servers/open-collection.js';

/** The source of candles: `demo`, `csv` or the ccxt id of an exchange. Candles of different markets are kept apart. */
export type Market = string;

export interface Pair {
  market: Market;
  base: string;
  quote: string;
}

export interface SeriesKey<I extends ResearchInterval = Interval> extends Pair {
  interval: I;
}

/** Identifies a series: `<market>:<base>/<quote>:<interval>`. */
export const seriesId = ({ market, base, quote, interval }: SeriesKey<ResearchInterval>): string =>
  `${market}:${base}/${quote}:${interval}`;

/**
 * The stored range of one series. It is written after the candles, and readers ignore candles outside it, so they never
 * see half a write.
 */
export interface Series<I extends ResearchInterval = Interval> extends SeriesKey<I> {
  /** Open times of the first and last closed candle in ms, UTC. */
  first: number;
  last: number;
  count: number;
  /** How many candles are missing between first and last, and the gaps; the list ends after 1,000 gaps. */
  missing: number;
  gaps: Gap[];
  /** SHA-256 of the block digests: equal digests mean equal candles. */
  digest: string;
  updatedAt: Date;
}

/** A digest of the candles of several series: equal candles in the same order have the same version. */
export const versionOf = (series: readonly Series<ResearchInterval>[]): string =>
  createHash('sha256')
    .update(series.map(({ digest }) => digest).join())
    .digest('base64url');

type SeriesDocument = Series<ResearchInterval> & { _id: string } & Fenced;

const projection = { _id: 0, fence: 0 };

/** Which series are stored, and their ranges. */
export class SeriesRepository {
  readonly #collection: Collection<SeriesDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'series');
  }

  /** The series; null if no candle of it is stored. */
  async find<I extends ResearchInterval>(key: SeriesKey<I>): Promise<Series<I> | null> {
    return this.#collection.findOne<Series<I>>({ _id: seriesId(key) }, { projection });
  }

  /** All series of all markets, sorted by pair and interval. */
  async all(): Promise<Series<ResearchInterval>[]> {
    return this.#collection.find({}, { projection }).sort({ _id: 1 }).toArray();
  }

  /** The series of a market, sorted by pair and interval; those of the intervals of research alone are left out. */
  async list(market: Market): Promise<Series[]> {
    const among = { market, interval: { $in: intervals } };
    return this.#collection.find<Series>(among, { projection }).sort({ _id: 1 }).toArray();
  }

  /** All series of a market with one interval, sorted by base and quote currency. */
  async ofInterval(market: Market, interval: Interval): Promise<Series[]> {
    return this.#collection
      .find<Series>({ market, interval }, { projection })
      .sort({ base: 1, quote: 1 })
      .toArray();
  }

  /** All series of a market with one interval and quote currency, sorted by base. */
  async traded(market: Market, quote: string, interval: Interval): Promise<Series[]> {
    return this.#collection
      .find<Series>({ market, quote, interval }, { projection })
      .sort({ base: 1 })
      .toArray();
  }

  /** Stores a series. Throws `lease_lost` if a holder of the lease of its pair with a higher token has stored it since. */
  async put(series: Series<ResearchInterval>, token: number): Promise<void> {
    await replaceFenced(this.#collection, { ...series, _id: seriesId(series) }, token);
  }

  /** Refuses later writes of earlier holders of the lease of these series. */
  async refuseEarlier(keys: readonly SeriesKey<ResearchInterval>[], token: number): Promise<void> {
    await raiseFence(this.#collection as never, keys.map(seriesId), token);
  }
}
