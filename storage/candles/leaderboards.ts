import type { Collection, Db } from 'mongodb';
import type { Interval, Period } from '../../compute/model/interval.js';
import { replaceFenced, type Fenced } from '../servers/fence.js';
import type { Market } from './series.js';
import { openCollection } from '../servers/open-collection.js';

/** The result of one strategy on one pair. Percent fields: 5 means 5 %. A figure that cannot be computed is null. */
export interface LeaderboardRow {
  asset: string;
  tradeMarket: string;
  strategy: string;
  totalReturn: number | null;
  sharpe: number | null;
  maxDrawdown: number | null;
  tradeCount: number;
  /** Return over the last 30 % of the window. */
  outOfSampleReturn: number | null;
  excessReturn: number;
  /** Whether it beats both 0 and buy and hold beyond chance, counting all rows. */
  significant: boolean;
  /** The period of the backtest, ISO 8601. */
  from: string;
  to: string;
}

/** All strategies on all pairs of a market with the same settings, ranked. */
export interface Leaderboard {
  market: Market;
  interval: Interval;
  period: Period;
  /** Close time of the latest candle used, ISO 8601. */
  asOf: string;
  computedAt: Date;
  costs: { feeRate: number; slippageRate: number };
  /** Sorted by Sharpe ratio, highest first; rows without one are last. */
  rows: LeaderboardRow[];
  /** Annualised Sharpe ratio that the best of so many rows without skill is expected to reach. */
  luckiestSharpe: number;
  /** How many combinations of pair and strategy could not be tested, mostly because history is too short. */
  refused: number;
}

type LeaderboardDocument = Leaderboard & { _id: string } & Fenced;

export type LeaderboardKey = Pick<Leaderboard, 'market' | 'interval' | 'period'>;

const idOf = ({ market, interval, period }: LeaderboardKey) => `${market}:${interval}:${period}`;

/** One leaderboard for each market, interval and period. */
export class LeaderboardRepository {
  readonly #collection: Collection<LeaderboardDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'leaderboards');
  }

  /** The leaderboard; null if none was ever computed. */
  async find(key: LeaderboardKey): Promise<Leaderboard | null> {
    return this.#collection.findOne({ _id: idOf(key) }, { projection: { _id: 0, fence: 0 } });
  }

  /** Stores a leaderboard. Throws `lease_lost` if a run of its schedule with a higher token has stored it since. */
  async put(leaderboard: Leaderboard, token: number): Promise<void> {
    await replaceFenced(this.#collection, { ...leaderboard, _id: idOf(leaderboard) }, token);
  }
}
