import Joi from 'joi';
import type { CorrelationMatrixParams } from '../../compute/market/correlation-matrix.js';
import { defineMarketJob } from './shared/market-job.js';

/** Correlations of returns among 2 to 15 assets over a window. */
export const correlationMatrixJob = defineMarketJob({
  name: 'correlation-matrix',
  params: Joi.object<CorrelationMatrixParams>({
    window: Joi.number().integer().min(20).max(365).default(90),
  }),
});
