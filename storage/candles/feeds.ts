import type { Collection, Db } from 'mongodb';
import { intervalMs } from '../../compute/model/interval.js';
import type { Gap } from './gaps.js';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Market, Pair } from './series.js';

/** A gap of the stored hours that the exchange has been asked for. */
export interface AskedGap extends Gap {
  /** How often it was asked for. */
  asks: number;
  /** How often the answer held nothing, not even a bad row. */
  emptyAnswers: number;
  /** When to ask again, in ms; null: the exchange has nothing there, it is not asked again. */
  askAgainAt: number | null;
}

/** Why a pair's candles lag behind. */
export interface Staleness {
  /** When the first missing hour closed, in ms; for a pair without candles, when it was first asked for. */
  since: number;
  reason: string;
}

/** How far the candles of a pair of an exchange are kept up to date. */
export interface Feed extends Pair {
  /** The open time from which on history has been asked for; null while it never was to its end. */
  askedFrom: number | null;
  /** Askings in a row that brought the pair no further, and when to ask again, in ms. */
  failures: number;
  askAgainAt: number;
  /** What the last asking failed for; null if it did not. */
  fault: string | null;
  stale: Staleness | null;
  gaps: AskedGap[];
  /** Rows of the exchange that were no candles and were not stored. */
  refusedRows: number;
  updatedAt: Date;
}

type FeedDocument = Feed & { _id: string };

const hourMs = intervalMs('1h');

/** How long after a close its candle may be missing before the pair counts as stale. */
export const staleGraceMs = 60_000;

/**
 * Since when the 1h candles of a pair have been stale at `nowMs`, given the open time of the last one: the close of the
 * first one that is missing. null while they are not: the next hour is not over, or was not a minute ago.
 */
export function staleSince(lastMs: number, nowMs: number): number | null {
  const missingSince = lastMs + 2 * hourMs;
  return nowMs > missingSince + staleGraceMs ? missingSince : null;
}

const feedId = (pair: Pair) => `${pair.market}:${pairName(pair)}`;

/** What is known of the pairs that are kept up to date from an exchange. */
export class FeedRepository {
  readonly #collection: Collection<FeedDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('feeds');
  }

  /** The feed of a pair; null if it is not kept up to date. */
  async find(pair: Pair): Promise<Feed | null> {
    return this.#collection.findOne({ _id: feedId(pair) }, { projection: { _id: 0 } });
  }

  /** Every pair that is kept up to date, in the order of the alphabet. */
  async list(market: Market): Promise<Feed[]> {
    return this.#collection
      .find({ market }, { projection: { _id: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }

  async put(feed: Feed): Promise<void> {
    const _id = feedId(feed);
    await this.#collection.replaceOne({ _id }, { ...feed, updatedAt: new Date() }, { upsert: true });
  }

  /** Keeps these pairs up to date from now on, and no others of the market. What is known of a pair stays. */
  async follow(market: Market, pairs: readonly PairSymbols[]): Promise<void> {
    const ids = pairs.map((pair) => feedId({ market, ...pair }));
    await this.#collection.deleteMany({ market, _id: { $nin: ids } });
    if (pairs.length === 0) return;
    const operations = pairs.map(({ base, quote }, index) => ({
      updateOne: {
        filter: { _id: ids[index] },
        update: { $setOnInsert: newFeed({ market, base, quote }) },
        upsert: true,
      },
    }));
    await this.#collection.bulkWrite(operations, { ordered: false });
  }

  /** Throws away what is known of pairs that nobody has kept up to date since a time, and tells how many. */
  async dropAbandoned(since: Date): Promise<number> {
    const never = new Date(0);
    const filter = { updatedAt: { $lt: since, $ne: never } };
    return (await this.#collection.deleteMany(filter)).deletedCount;
  }
}

/** The feed of a pair that was never asked for. */
export const newFeed = ({ market, base, quote }: Pair): Feed => ({
  market,
  base,
  quote,
  askedFrom: null,
  failures: 0,
  askAgainAt: 0,
  fault: null,
  stale: null,
  gaps: [],
  refusedRows: 0,
  updatedAt: new Date(0),
});
