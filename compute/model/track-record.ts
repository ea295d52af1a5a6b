import { field, type Values } from './field.js';
import { nullReason } from './null-reason.js';

const figure = (text: string) => field.nullable(field.number(text));

/** Results of the signals of a channel. Figures without observations are null. */
const resultFields = (traded: string) => ({
  traded: field.count(traded),
  openLosers: field.count('those of them that count for a loss that is still open, at the last price'),
  hitRatePercent: figure('percent of the traded signals that earned something after fees; null without any'),
  expectancyR: figure(
    'mean of the R multiples, net of fees: profit by what was at risk to the first stop; null without any',
  ),
  expectancyInterval: field.object(
    'the 95 % interval of the expectancy, as if signals were independent: those of one week often are not, and the true one is wider',
    {
      low: figure('lower end, in R; null with fewer than 20 traded signals that had a stop'),
      high: figure('upper end, in R'),
      reason: nullReason,
    },
  ),
  maxDrawdownR: figure('deepest fall of the sum of R multiples from an earlier high, 0 or above'),
});

export type ResultsRecord = Values<ReturnType<typeof resultFields>>;

/** What came of the signals of a channel for its followers, in money or on paper. */
const tradedFields = {
  followers: field.count('subscriptions that followed its signals when the record was computed'),
  ...resultFields('signals with a closed trade of a follower, or with a loss that is still open'),
  medianSlippagePercent: figure('how much worse than the signal followers enter, in percent'),
  medianDeliverySlippagePercent: figure(
    'how much worse than the market price when the signal reached them followers enter, in percent; below 0 where entries waited',
  ),
};

export type TradedRecord = Values<typeof tradedFields>;

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

/**
 * The results of the signals of a channel within a period. A signal counts once, with the median result of its followers. Results
 * on paper are apart.
 */
export const recordFields = {
  signals: field.count('all signals, also those that were cancelled, expired or never followed'),
  cancelled: field.count('those that the partner has cancelled'),
  expired: field.count(
    'those of which nothing was bought within the time for the entry, not on paper either',
  ),
  ...tradedFields,
  paper: field.object('the same of trades on paper, which are in no other figure', tradedFields),
  reference: field.object(
    'the same by market prices alone: entries, targets and first stop of each signal on 1h candles, at 0.1 % fees a side, with the worse order where a candle leaves it open',
    {
      ...resultFields('signals that these candles would have bought, and sold or left with a loss'),
      unpriced: field.count('signals of whose pair no candles are stored'),
    },
  ),
};

export type TrackRecord = Values<typeof recordFields>;

/** Fewer results say too little for an interval: one large gain or loss decides it. */
export const leastForInterval = 20;

/** In place of the interval of fewer results than that. */
export const tooFewForInterval = (found: number): ResultsRecord['expectancyInterval'] => ({
  low: null,
  high: null,
  reason: `an interval needs ${leastForInterval} traded signals with a stop, found ${found}`,
});

const nothingFound: ResultsRecord = {
  traded: 0,
  openLosers: 0,
  hitRatePercent: null,
  expectancyR: null,
  maxDrawdownR: null,
  expectancyInterval: tooFewForInterval(0),
};

const nothingTraded: TradedRecord = {
  followers: 0,
  ...nothingFound,
  medianSlippagePercent: null,
  medianDeliverySlippagePercent: null,
};

/** The record of a channel without signals. */
export const emptyRecord: TrackRecord = {
  signals: 0,
  cancelled: 0,
  expired: 0,
  ...nothingTraded,
  paper: nothingTraded,
  reference: { ...nothingFound, unpriced: 0 },
};
