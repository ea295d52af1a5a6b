/**
 * What came of the signals of a channel in the last year. A signal counts once, however many follow it: with the median of
 * its followers. Figures without observations are null.
 */
export interface TrackRecord {
  /** All signals, those that were cancelled, expired or never followed included. */
  readonly signals: number;
  /** Those that the partner has cancelled. */
  readonly cancelled: number;
  /** Those of which nothing was bought within the time for the entry. */
  readonly expired: number;
  /** Those with at least one closed trade of a follower. */
  readonly traded: number;
  /** Percent of the traded signals that earned something after fees. */
  readonly hitRatePercent: number | null;
  /** Mean of the R multiples. */
  readonly expectancyR: number | null;
  /** The deepest fall of the sum of R multiples from an earlier high, 0 or above. */
  readonly maxDrawdownR: number | null;
  /** How much worse than the signal's price followers enter, in percent: the median of the traded signals. */
  readonly medianSlippagePercent: number | null;
}
