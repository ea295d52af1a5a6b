import type { TrackRecord } from '../../../compute/model/track-record.js';
import { count, figureOrNull, objectField } from '../output-fields.js';

/** The record of a channel without signals. */
export const emptyRecord: TrackRecord = {
  ...{ signals: 0, cancelled: 0, expired: 0, traded: 0 },
  ...{ hitRatePercent: null, expectancyR: null, maxDrawdownR: null, medianSlippagePercent: null },
};

export const trackRecordField = objectField<TrackRecord>(
  {
    signals: count('all signals, also those that were cancelled, expired or never followed'),
    cancelled: count('those that the partner has cancelled'),
    expired: count('those of which nothing was bought within the time for the entry'),
    traded: count('those with at least one closed trade of a follower'),
    hitRatePercent: figureOrNull('percent of the traded signals that earned something after fees'),
    expectancyR: figureOrNull('mean of the R multiples: profit by what was at risk to the first stop'),
    maxDrawdownR: figureOrNull('deepest fall of the sum of R multiples from an earlier high, 0 or above'),
    medianSlippagePercent: figureOrNull('how much worse than the signal followers enter'),
  },
  'what came of the signals of the last year, a signal counting once with the median of its followers',
);
