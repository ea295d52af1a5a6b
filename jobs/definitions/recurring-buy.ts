import Joi from 'joi';
import { buyRhythms } from '../../compute/market/buy-schedule.js';
import type { RecurringBuyParams } from '../../compute/market/recurring-buy.js';
import { periods } from '../../compute/model/interval.js';
import { defineSeriesJob } from './shared/series-job.js';

/** A fixed amount bought daily, weekly or monthly, against one buy at the start. */
export const recurringBuyJob = defineSeriesJob({
  name: 'recurring-buy',
  params: Joi.object<RecurringBuyParams, true>({
    amount: Joi.number().positive().required(),
    every: Joi.string()
      .valid(...buyRhythms)
      .default('week'),
    period: Joi.string()
      .valid(...periods)
      .default('1y'),
    onlyState: Joi.string().valid('accumulate', 'wait', 'distribute').allow(null).default(null),
    feePercent: Joi.number().min(0).less(100).default(0.1),
  }),
});
