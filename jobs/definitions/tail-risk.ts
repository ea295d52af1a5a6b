import Joi from 'joi';
import type { TailRiskParams } from '../../compute/tasks/tail-risk.js';
import { defineMarketJob } from './shared/market-job.js';

/** Loss statistics of an asset or a basket; the choice of pairs is that of the weights. */
export const tailRiskJob = defineMarketJob({
  name: 'tail-risk',
  params: Joi.object<TailRiskParams, true>({
    weights: Joi.object().pattern(Joi.string(), Joi.number()).min(1).required(),
    lookbackDays: Joi.number().integer().min(90).max(1825).default(365),
  }),
});
