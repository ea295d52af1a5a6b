import Joi from 'joi';
import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineTaskJob } from './shared/task-job.js';

/** The pair whose trend is taken as that of the market. */
export const leadingPair = { base: 'BTC', quote: 'USDT' } as const;

export interface AssessRiskJobData {
  /** The 1h series of the coin, and the digests that the gateway knows of it and of the leading pair's series. */
  key: SeriesKey;
  digest: string;
  leadingDigest: string;
  side: TradeSide;
}

/** The risk of a trade on one side, from closed 1h candles of the pair and of BTC/USDT. */
export const assessRiskJob = defineTaskJob({
  name: 'assess-risk',
  // One takes a fraction of a millisecond, which is less than the cost of a batch, so a batch holds many.
  share: 1 / 64,
  payload: Joi.object<AssessRiskJobData>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    leadingDigest: Joi.string().required(),
    side: Joi.string().valid('long', 'short').required(),
  }),
  async ask({ key, digest, leadingDigest, side }, { candles: cache }) {
    const leadingKey = { market: key.market, ...leadingPair, interval: '1h' } as const;
    const [{ candles }, { candles: leading }] = await Promise.all([
      cache.get(key, digest),
      cache.get(leadingKey, leadingDigest),
    ]);
    return { candles, leading, isLeading: key.base === leadingPair.base, side };
  },
});
