import type { Collection, Db } from 'mongodb';
import { intervalMs } from '../../compute/model/interval.js';
import type { Gap } from './gaps.js';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import { raiseFence, replaceFenced, type Fenced } from '../servers/fence.js';
import type { Market, Pair } from './series.js';
import { openCollection } from '../servers/open-collection.js';

/** A gap in the stored 1h candles that was requested from the exchange. */
export interface AskedGap extends Gap {
  /** How often it was requested. */
  asks: number;
  /** How often the answer had no rows at all. */
  emptyAnswers: number;
  /** When to request it again, in ms; null if the exchange has no candles there. */
  askAgainAt: number | null;
}

/** Why the candles of a pair are stale. */
export interface Staleness {
  /** When the first missing candle closed, in ms; for a pair without candles, when it was first requested. */
  since: number;
  reason: string;
}

/** The state of following one pair of an exchange. */
export interface Feed extends Pair {
  /** The open time from which history was requested completely; null until then. */
  askedFrom: number | null;
  /** Consecutive requests without progress, and when to request again, in ms. */
  failures: number;
  askAgainAt: number;
  /** Why the last request failed; null if it did not. */
  fault: string | null;
  stale: Staleness | null;
  gaps: AskedGap[];
  /** How many rows of the exchange were invalid and not stored. */
  refusedRows: number;
  updatedAt: Date;
}

/** For how many pairs of a market the history is requested completely. */
export interface MarketFill {
  pairs: number;
  /** Pairs whose history is not requested completely yet: more of their candles follow. */
  pending: PairSymbols[];
}

type FeedDocument = Feed & { _id: string } & Fenced;

const hourMs = intervalMs('1h');

/** How long after its close a candle may be missing before the pair counts as stale. */
export const staleGraceMs = 60_000;

/**
 * The time since which the 1h candles of a pair are stale, in ms: the close of the first missing one. null if they are not
 * stale, because the next candle closed less than a minute ago or has not closed. `lastMs` is the open time of the last one.
 */
export function staleSince(lastMs: number, nowMs: number): number | null {
  const missingSince = lastMs + 2 * hourMs;
  return nowMs > missingSince + staleGraceMs ? missingSince : null;
}

const feedId = (pair: Pair) => `${pair.market}:${pairName(pair)}`;

/** The followed pairs of each exchange. */
export class FeedRepository {
  readonly #collection: Collection<FeedDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'feeds');
  }

  /** The feed of a pair; null if it is not followed. */
  async find(pair: Pair): Promise<Feed | null> {
    return this.#collection.findOne({ _id: feedId(pair) }, { projection: { _id: 0, fence: 0 } });
  }

  /** The feeds of a market, sorted by pair. */
  async list(market: Market): Promise<Feed[]> {
    return this.#collection
      .find({ market }, { projection: { _id: 0, fence: 0 } })
      .sort({ _id: 1 })
      .toArray();
  }

  /** For how many pairs of a market the history is requested completely. */
  async fill(market: Market): Promise<MarketFill> {
    const projection = { _id: 0, base: 1, quote: 1, askedFrom: 1 };
    const feeds = await this.#collection.find({ market }, { projection }).sort({ _id: 1 }).toArray();
    const pending = feeds.filter(({ askedFrom }) => askedFrom === null);
    return { pairs: feeds.length, pending: pending.map(({ base, quote }) => ({ base, quote })) };
  }

  /** Notes that the history of a followed pair is stored from that time on, unless that is noted already. */
  async complete(pair: Pair, fromMs: number): Promise<void> {
    const change = { $set: { askedFrom: fromMs, updatedAt: new Date() } };
    await this.#collection.updateOne({ _id: feedId(pair), askedFrom: null }, change);
  }

  /** Stores a feed. Throws `lease_lost` if a holder of its lease with a higher token has stored it since. */
  async put(feed: Feed, token: number): Promise<void> {
    await replaceFenced(this.#collection, { ...feed, _id: feedId(feed), updatedAt: new Date() }, token);
  }

  /** Refuses later writes of earlier holders of the lease of this pair. */
  async refuseEarlier(pair: Pair, token: number): Promise<void> {
    await raiseFence(this.#collection as never, [feedId(pair)], token);
  }

  /** Follows these pairs of the market and no others. The feeds of pairs that were followed before are kept. */
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

  /** Deletes feeds that were not updated since that time and returns how many. */
  async dropAbandoned(since: Date): Promise<number> {
    const never = new Date(0);
    const filter = { updatedAt: { $lt: since, $ne: never } };
    return (await this.#collection.deleteMany(filter)).deletedCount;
  }
}

/** The feed of a pair that was never requested. */
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
