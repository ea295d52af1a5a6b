import Joi from 'joi';
import type { BreadthParams } from '../../compute/market/breadth.js';
import { defineMarketJob } from './shared/market-job.js';

/** Breadth of a market over its last candles. */
export const breadthJob = defineMarketJob({
  name: 'breadth',
  params: Joi.object<BreadthParams>({
    limit: Joi.number().integer().min(1).max(365).default(90),
  }),
});
