import Joi from 'joi';
import { tradeSides } from '../../compute/model/risk-assessment.js';
import { riskStyles, type TradeLevelParams } from '../../compute/risk/trade-levels.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Entry range, stop and targets of a trade from ATR and market structure. */
export const tradeLevelsJob = defineSeriesJob({
  name: 'trade-levels',
  params: Joi.object<TradeLevelParams>({
    side: Joi.string()
      .valid(...tradeSides)
      .default('long'),
    entry: Joi.number().positive().allow(null).default(null),
    riskStyle: Joi.string()
      .valid(...riskStyles)
      .default('normal'),
    targets: Joi.number().integer().min(1).max(6).default(3),
  }),
});
