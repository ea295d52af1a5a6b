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
  /** A price without a role. */
  price?: number;
  leverage?: number;
  /** "the last 5 flips", "top ten". */
  count?: number;
  /** ISO 8601 date. */
  date?: string;
  exchange?: string;
  channel?: string;
  strategy?: string;
  indicator?: string;
  /** A span of time for movers, correlations and the like, in hours. */
  windowHours?: number;
  /** How often: "every week". */
  every?: 'day' | 'week' | 'month';
  /** Weights of a portfolio in percent: "60 % BTC and 40 % ETH". */
  weights?: Readonly<Record<string, number>>;
  /** Conditions of a screener, as `screen_assets` takes them. */
  conditions?: readonly Record<string, unknown>[];
  /** An id that was given: a signal, an order, a backtest. */
  id?: string;
  /** A word of the field that is to be explained. */
  term?: string;
}

export type SlotName = keyof Slots;
