/** Results of the signals of a channel. Figures without observations are null. */
export interface ResultsRecord {
  /** Signals with a result: a closed trade, or a loss that is still open, at the last price. */
  readonly traded: number;
  /** Those of them that count because a loss is still open. */
  readonly openLosers: number;
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
}

/** What came of the signals of a channel for its followers, in money or on paper. */
export interface TradedRecord extends ResultsRecord {
  /** Subscriptions that follow the signals of the channel when the record is computed. */
  readonly followers: number;
  /** How much worse than the price of the signal its followers entered, in percent: the median of the traded signals. */
  readonly medianSlippagePercent: number | null;
  /** The same against the market price at which the signal reached them. */
  readonly medianDeliverySlippagePercent: number | null;
}

/**
 * `waiting`: for its entry; `missed`: the stop or the first target came first; `expired`: the entry did not come in time, or the
 * partner cancelled before it; `open`: bought and not sold yet; `closed`: sold.
 */
export type ReferenceState = 'waiting' | 'missed' | 'expired' | 'open' | 'closed';

/** What a signal would have brought by market prices alone, net of fees; an open one at the last close. */
export interface ReferenceOutcome {
  readonly state: ReferenceState;
  /** Profit in percent of the investment; null unless it was bought. */
  readonly returnPercent: number | null;
  /** Profit as a multiple of the risk to the stop; null without a stop, and unless it was bought. */
  readonly r: number | null;
  /** When its last candle opened, in ms since 1970; null without a candle. */
  readonly at: number | null;
}

/** What the levels of the signals would have brought by market prices alone. */
export interface ReferenceRecord extends ResultsRecord {
  /** Signals of whose pair no candles are stored. */
  readonly unpriced: number;
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
  readonly reference: ReferenceRecord;
}

/** Fewer results say too little for an interval: one large gain or loss decides it. */
export const leastForInterval = 20;

/** In place of the interval of fewer results than that. */
export const tooFewForInterval = (found: number): ResultsRecord['expectancyInterval'] => ({
  low: null,
  high: null,
  reason: `an interval needs ${leastForInterval} traded signals with a stop, found ${found}`,
});
