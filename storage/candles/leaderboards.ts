import type { Collection, Db } from 'mongodb';
import type { Interval, Period } from '../../compute/model/interval.js';
import type { Market } from './series.js';

/** How one strategy did on one pair. Percentages are in percent; a ratio without meaning is null. */
export interface LeaderboardRow {
  asset: string;
  tradeMarket: string;
  strategy: string;
  totalReturn: number | null;
  sharpe: number | null;
  maxDrawdown: number | null;
  tradeCount: number;
  /** The window it was traded over, ISO 8601. */
  from: string;
  to: string;
}

/** Every strategy on every pair of a market under the same settings. */
export interface Leaderboard {
  market: Market;
  interval: Interval;
  period: Period;
  /** Close time of the latest candle that it rests on, ISO 8601. */
  asOf: string;
  computedAt: Date;
  costs: { feeRate: number; slippageRate: number };
  /** By Sharpe ratio, the highest first; those without one stand last. */
  rows: LeaderboardRow[];
  /** Pairs and strategies that could not be tried, most often for want of history. */
  refused: number;
}

type LeaderboardDocument = Leaderboard & { _id: string };

export type LeaderboardKey = Pick<Leaderboard, 'market' | 'interval' | 'period'>;

const idOf = ({ market, interval, period }: LeaderboardKey) => `${market}:${interval}:${period}`;

/** One leaderboard for each market, interval and period. */
export class LeaderboardRepository {
  readonly #collection: Collection<LeaderboardDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('leaderboards');
  }

  /** The leaderboard; null if none was ever computed. */
  async find(key: LeaderboardKey): Promise<Leaderboard | null> {
    return this.#collection.findOne({ _id: idOf(key) }, { projection: { _id: 0 } });
  }

  async put(leaderboard: Leaderboard): Promise<void> {
    const _id = idOf(leaderboard);
    await this.#collection.replaceOne({ _id }, leaderboard, { upsert: true });
  }

  /** Throws away those computed before a time, and tells how many. */
  async dropOlder(than: Date): Promise<number> {
    return (await this.#collection.deleteMany({ computedAt: { $lt: than } })).deletedCount;
  }
}
