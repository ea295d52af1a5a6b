/** What a question can name, in the values that tools take. A follow-up question inherits the slots it does not name. */
export interface Slots {
  /** The asset that is asked about, in capitals. */
  asset?: string;
  /** All assets that are named, in the order of the question; two or more for comparisons. */
  assets?: readonly string[];
  tradeMarket?: string;
  interval?: '1h' | '4h' | '1d';
  period?: '3M' | '6M' | '1y';
  side?: 'long' | 'short';
  state?: 'accumulate' | 'wait' | 'distribute';
  /** Amount of quote currency: "$10,000", "10k". */
  amount?: number;
  /** "2 %", "half a percent". */
  percent?: number;
  /** Prices by their role in the question: "entry 60000 stop 58k target 70,000". */
  entry?: number;
  stop?: number;
  target?: number;
  /** All targets, and the other end of the entry, of a signal: "entry 28 to 29, tp 31, tp 33". */
  targets?: readonly number[];
  entryTo?: number;
  /** A price without a role. */
  price?: number;
  leverage?: number;
  /** "the last 5 flips", "top ten". */
  count?: number;
  /** ISO 8601 date. */
  date?: string;
  /** The hours of that day that are meant, from the start of the first to the end of the last, in ISO 8601. */
  hours?: { start: string; end: string; isWhole: boolean };
  exchange?: string;
  channel?: string;
  strategy?: string;
  indicator?: string;
  /** All indicators that are named with their parameters, as fields of a screener: "sma_50", "macd". */
  indicators?: readonly string[];
  /** A span of time for movers, correlations and the like, in hours. */
  windowHours?: number;
  /** How often: "every week". */
  every?: 'day' | 'week' | 'month';
  /** Weights of a portfolio in percent: "60 % BTC and 40 % ETH". */
  weights?: Readonly<Record<string, number>>;
  /** Conditions of a screener, as `screen_assets` takes them. */
  conditions?: readonly Record<string, unknown>[];
  /** All prices without a role, in the order of the question: the steps of a ladder. */
  prices?: readonly number[];
  /** The sizes of the further buys of a ladder, as multiples of the first: "2x that at 2800". */
  multipliers?: readonly number[];
  /** A signal that was pasted as a JSON object. */
  signal?: Readonly<Record<string, unknown>>;
  /** A number of candles: "the last 20 candles", "within 3 bars". */
  candles?: number;
  /** The period of the indicator: 200 for "200-day average". */
  indicatorPeriod?: number;
  /** Parameters of the strategy by their names: "fast 10 slow 30". */
  params?: Readonly<Record<string, number>>;
  /** What a portfolio would change by: "add 0.5 BTC", "sell 2 ETH" as -2. */
  changes?: readonly { asset: string; quantity: number }[];
  /** Whether all conditions of a screener have to hold, or one. */
  join?: 'and' | 'or';
  by?: 'hour' | 'weekday' | 'month' | 'session';
  rankBy?: 'gain' | 'loss' | 'volume';
  groupBy?: 'asset' | 'exchange' | 'channel' | 'day';
  riskStyle?: 'tight' | 'normal' | 'wide';
  marginType?: 'ISOLATED' | 'CROSS';
  account?: 'SPOT' | 'MARGIN' | 'FUTURES';
  /** What orders or signals are listed by. */
  status?:
    | 'open'
    | 'partially_filled'
    | 'filled'
    | 'cancelled'
    | 'rejected'
    | 'unknown'
    | 'closed'
    | 'expired'
    | 'queued'
    | 'skipped'
    | 'entry_pending';
  /** "since the start", "all time". */
  isAllTime?: boolean;
  /** "today": since midnight, where that differs from 24 hours. */
  isToday?: boolean;
  /** An id that was given: a signal, an order, a backtest. */
  id?: string;
  /** A word of the field that is to be explained. */
  term?: string;
  /** The backtest that was run last in the conversation, or the one whose id is given. */
  backtestId?: string;
  /** All strategies that are named, in the order of the question. */
  strategies?: readonly string[];
  /** Costs of a backtest for each side: "with 0.2 % fees", "slippage 0.1 %". */
  feePercent?: number;
  slippagePercent?: number;
  /** The least z-score of an unusual candle: "beyond 4 sigma". */
  minZ?: number;
  /** The least number of trades or signals that a ranked row must have: "at least 50 trades". */
  leastCount?: number;
  /** The least sum: "volume above 10m", "balances over $10". */
  leastAmount?: number;
  /** What a table of trend states is sorted by. */
  scanSort?: 'days_in_state' | 'change24h' | 'volume';
  /** The field that a screener sorts by; with "-" before it the largest comes first. */
  sortBy?: string;
  /** Where the random numbers of a simulation begin. */
  seed?: number;
  /** The version of a signal's body. */
  version?: 'v1' | 'v2';
  /** The share of each fold that a strategy is fitted on, from 0.5 to 0.9. */
  trainRatio?: number;
  /** The day on which a span of the past begins, as an ISO 8601 date. */
  since?: string;
  /** The figure that orders the leaderboard of strategies: "by drawdown". */
  leaderboardRank?: 'oos_return' | 'sharpe' | 'max_drawdown' | 'excess_return';
}

export type SlotName = keyof Slots;
