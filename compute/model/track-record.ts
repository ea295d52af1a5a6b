/** What came of the signals of a channel for its followers, in money or on paper. Figures without observations are null. */
export interface TradedRecord {
  /** Subscriptions that follow the signals of the channel when the record is computed. */
  readonly followers: number;
  /** Signals with at least one closed trade of a follower. */
  readonly traded: number;
  /** Percent of the traded signals that earned something after fees. */
  readonly hitRatePercent: number | null;
  /** Mean of the R multiples. */
  readonly expectancyR: number | null;
  /** The 95 % interval of the expectancy; without ends where there are too few signals, with the reason. */
  readonly expectancyInterval: {
    readonly low: number | null;
    readonly high: number | null;
    readonly reason: string | null;
  };
  /** The deepest fall of the sum of R multiples from an earlier high, 0 or above. */
  readonly maxDrawdownR: number | null;
  /** How much worse than the price of the signal its followers entered, in percent: the median of the traded signals. */
  readonly medianSlippagePercent: number | null;
}

/**
 * The results of the signals of a channel within a period. A signal counts once, with the median result of its followers. Results
 * on paper are apart.
 */
export interface TrackRecord extends TradedRecord {
  /** All signals, including those that were cancelled, expired or never followed. */
  readonly signals: number;
  /** Signals that the partner has cancelled. */
  readonly cancelled: number;
  /** Signals, not cancelled, whose time for the entry is over and of which no follower has closed a trade, not on paper either. */
  readonly expired: number;
  readonly paper: TradedRecord;
}

/** Fewer results say too little for an interval: one large gain or loss decides it. */
export const leastForInterval = 20;

/** In place of the interval of fewer results than that. */
export const tooFewForInterval = (found: number): TradedRecord['expectancyInterval'] => ({
  low: null,
  high: null,
  reason: `an interval needs ${leastForInterval} traded signals with a stop, found ${found}`,
});
