import Joi from 'joi';
import type { PerformanceParams } from '../../compute/tasks/performance.js';
import { defineMarketJob } from './shared/market-job.js';

/** Returns and risk of 1 to 10 assets side by side, asked on 1h candles; the choice of pairs holds BTC too, for comparison. */
export const performanceJob = defineMarketJob({
  name: 'performance',
  params: Joi.object<PerformanceParams, true>({
    assets: Joi.array().items(Joi.string()).min(1).max(10).unique().required(),
  }),
});
