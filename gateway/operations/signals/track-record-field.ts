import Joi from 'joi';
import { field } from '../../../compute/model/field.js';
import { nullReason } from '../../../compute/model/null-reason.js';
import {
  tooFewForInterval,
  type ResultsRecord,
  type TradedRecord,
  type TrackRecord,
} from '../../../compute/model/track-record.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';

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

const figure = (text: string) => field.nullable(field.number(text));

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

const tradedFields = {
  followers: field.count('subscriptions that followed its signals when the record was computed'),
  ...resultFields('signals with a closed trade of a follower, or with a loss that is still open'),
  medianSlippagePercent: figure('how much worse than the signal followers enter, in percent'),
  medianDeliverySlippagePercent: figure(
    'how much worse than the market price when the signal reached them followers enter, in percent; below 0 where entries waited',
  ),
};

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

export const trackRecordField = Joi.object<TrackRecord>(keysOf(recordFields, 'answer'))
  .required()
  .description(
    'what came of the signals of the last year for followers with money, a signal counting once with the median of its followers',
  );
