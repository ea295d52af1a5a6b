import Joi from 'joi';
import type { AnomaliesParams } from '../../compute/market/anomalies.js';
import { defineMarketJob } from './shared/market-job.js';

/** Unusual candles across a market. */
export const anomaliesJob = defineMarketJob({
  name: 'anomalies',
  params: Joi.object<AnomaliesParams>({
    minZ: Joi.number().min(1).max(20).default(3),
    withinCandles: Joi.number().integer().min(1).max(48).default(1),
    limit: Joi.number().integer().min(1).max(100).default(25),
  }),
});
