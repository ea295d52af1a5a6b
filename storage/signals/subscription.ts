import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';

/** How a user follows a channel. Percents and multiples are decimals as text: `5` means 5 %. */
export interface SubscriptionSettings {
  /** Whether orders are placed; otherwise signals are only shown. */
  autoInvest: boolean;
  /** The most that one signal invests, in percent of the quote balance. */
  investPercent: string;
  /** The most signals that are followed at the same time. */
  maxOpenSignals: number;
  /** The most that one signal invests with rebuys and DCA levels, as a multiple of its own entries. */
  maxExposure: string;
  /** The most that all signals on the exchange invest together, in percent of the balance; null: no limit. */
  maxTotalExposure: string | null;
  /** Percent of the balance that may be lost in a UTC day before no more is bought; null: no limit. */
  maxDailyLoss: string | null;
  sides: TradeSide[];
  accounts: TradingAccount[];
  /** Whether stops stand on the exchange as orders. */
  stopOnExchange: boolean;
}

/** A user who follows a channel on one exchange. */
export interface Subscription extends SubscriptionSettings {
  /** Later subscriptions have greater ids. */
  id: string;
  userId: string;
  channelId: string;
  exchange: string;
  /** Nothing more is bought; what is held is managed. */
  isPaused: boolean;
  /** Why it was paused by itself; null where the user paused it, and where it is not paused. */
  pauseReason: string | null;
  /** While a pause ends by itself: how often in a row its account was read and found as stored. Null or absent: the user ends it. */
  goodReads?: number | null;
  createdAt: Date;
}
