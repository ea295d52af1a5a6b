import Joi from 'joi';
import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineTaskJob } from './shared/task-job.js';

/** The pair whose trend stands for the market's. */
export const leadingPair = { base: 'BTC', quote: 'USDT' } as const;

export interface AssessRiskPayload {
  /** The 1h series of the coin, and the digests of it and of the leading pair's as the caller knows them. */
  key: SeriesKey;
  digest: string;
  leadingDigest: string;
  side: TradeSide;
}

/** The risk of a trade on one side, from closed 1h candles of the pair and of BTC/USDT. */
export const assessRiskJob = defineTaskJob({
  name: 'assess-risk',
  // A fraction of a millisecond each: what is done once for a batch weighs more.
  share: 1 / 64,
  payload: Joi.object<AssessRiskPayload>({
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
