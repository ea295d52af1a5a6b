import Joi from 'joi';
import type { RiskAssessment, TradeSide } from '../../compute/model/risk-assessment.js';
import type { SeriesKey } from '../../storage/series.js';
import { defineJob } from '../job.js';

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
export const assessRiskJob = defineJob({
  name: 'assess-risk',
  queue: 'analysis',
  timeoutMs: 10_000,
  payload: Joi.object<AssessRiskPayload>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    leadingDigest: Joi.string().required(),
    side: Joi.string().valid('long', 'short').required(),
  }),
  async run(
    { key, digest, leadingDigest, side },
    { candles: cache, pool },
    { signal, timings },
  ): Promise<RiskAssessment> {
    const started = performance.now();
    const leadingKey = { market: key.market, ...leadingPair, interval: '1h' } as const;
    const [{ candles }, { candles: leading }] = await Promise.all([
      cache.get(key, digest),
      cache.get(leadingKey, leadingDigest),
    ]);
    timings.candles = performance.now() - started;
    const isLeading = key.base === leadingPair.base;
    const { output, computeMs } = await pool.run(
      'assess-risk',
      { candles, leading, isLeading, side },
      signal,
    );
    timings.compute = computeMs;
    return output;
  },
});
