import Joi from 'joi';
import { tradeSides } from '../../compute/model/risk-assessment.js';
import type { TargetOrder } from '../../compute/risk/target-probability.js';
import { defineSeriesJob } from './shared/series-job.js';

/** How often price touched a target before a stop within some candles; entered at the last close unless told otherwise. */
export const targetProbabilityJob = defineSeriesJob({
  name: 'target-probability',
  params: Joi.object<TargetOrder, true>({
    side: Joi.string()
      .valid(...tradeSides)
      .default('long'),
    entry: Joi.number().positive().allow(null).default(null),
    target: Joi.number().positive().required(),
    stop: Joi.number().positive().required(),
    maxCandles: Joi.number().integer().min(1).max(500).default(60),
  }),
});
