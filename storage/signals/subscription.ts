import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { MarginMode, TradingAccount } from '../../compute/model/trading-account.js';

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
  /** The most signals that are followed in a UTC day; one that is closed at a loss within 60 s counts twice; null: no limit. */
  maxSignalsPerDay: number | null;
  /** The most that an entry pays above the price at its order (below, for a short), in percent. */
  maxSlippagePercent: string;
  /** Pairs with a smaller turnover in 24 hours are left out, in USDT; null: no limit. */
  minTurnover: number | null;
  sides: TradeSide[];
  /** Anything but SPOT was consented to by naming `maxLeverage`. */
  accounts: TradingAccount[];
  /** Signals with a higher leverage are left out. */
  maxLeverage: number;
  /** The kinds of margin that are followed on MARGIN and FUTURES. */
  marginTypes: MarginMode[];
  /** Whether stops stand on the exchange as orders. */
  stopOnExchange: boolean;
}

/** The settings of a subscription where none are given: what a careless user loses with them in a day is bounded. */
export const defaultSettings: SubscriptionSettings = {
  autoInvest: true,
  investPercent: '5',
  maxOpenSignals: 10,
  maxExposure: '4',
  maxTotalExposure: '25',
  maxDailyLoss: '5',
  maxSignalsPerDay: 20,
  maxSlippagePercent: '0.5',
  minTurnover: 1_000_000,
  sides: ['long', 'short'],
  accounts: ['SPOT'],
  maxLeverage: 1,
  marginTypes: ['ISOLATED'],
  stopOnExchange: true,
};

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
