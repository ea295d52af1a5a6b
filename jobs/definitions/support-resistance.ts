import Joi from 'joi';
import type { SupportResistanceParams } from '../../compute/market/support-resistance.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Price levels of a pair above and below its last close. */
export const supportResistanceJob = defineSeriesJob({
  name: 'support-resistance',
  params: Joi.object<SupportResistanceParams>({
    maxLevels: Joi.number().integer().min(1).max(20).default(8),
  }),
});
