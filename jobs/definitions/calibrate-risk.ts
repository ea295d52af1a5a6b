import Joi from 'joi';
import type { SeriesKey } from '../../storage/candles/series.js';
import { leadingPair } from './assess-risk.js';
import { defineTaskJob } from './shared/task-job.js';

export interface CalibrateRiskJobData {
  /** The 1h series of the coin, and the digests known of it and of the leading pair's series. */
  key: SeriesKey;
  digest: string;
  leadingDigest: string;
}

/** The adverse moves after the risk labels of all past hours of a pair. */
export const calibrateRiskJob = defineTaskJob({
  name: 'calibrate-risk',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: Joi.object<CalibrateRiskJobData>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    leadingDigest: Joi.string().required(),
  }),
  async ask({ key, digest, leadingDigest }, { candles: cache }) {
    const leadingKey = { market: key.market, ...leadingPair, interval: '1h' } as const;
    const [{ candles }, { candles: leading }] = await Promise.all([
      cache.get(key, digest),
      cache.get(leadingKey, leadingDigest),
    ]);
    return { candles, leading, isLeading: key.base === leadingPair.base };
  },
});
