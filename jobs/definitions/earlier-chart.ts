import Joi from 'joi';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineJob } from '../job.js';

export interface EarlierChartJobData {
  key: SeriesKey;
  digest: string;
  beforeMs: number;
  limit: number;
}

/** The candles of a chart before those that are stored with its core line. */
export const earlierChartJob = defineJob({
  name: 'earlier-chart',
  queue: 'analysis',
  timeoutMs: 10_000,
  payload: Joi.object<EarlierChartJobData>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    beforeMs: Joi.number().required(),
    limit: Joi.number().required(),
  }),
  async run({ key, digest, beforeMs, limit }, { candles: cache, pool }, { signal, timings }) {
    const { candles } = await cache.get(key, digest);
    const question = { candles, interval: key.interval, params: { beforeMs, limit } };
    const { output, computeMs } = await pool.run('earlier-chart', question, signal);
    timings.compute = computeMs;
    return output;
  },
});
