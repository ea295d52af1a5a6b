import Joi from 'joi';
import { screenOps, type ScreenConditionText } from '../../compute/market/screen-condition.js';
import { screenConditions, type ScreenParams } from '../../compute/market/screener.js';
import { defineMarketJob } from './shared/market-job.js';

/** A name of a field with all its parameters is shorter than this. */
const longestName = 100;

const name = () => Joi.string().max(longestName);

/** The assets of a market that satisfy conditions. */
export const screenJob = defineMarketJob({
  name: 'screen',
  params: Joi.object<ScreenParams>({
    conditions: Joi.array()
      .items(
        Joi.object<ScreenConditionText>({
          left: name().required(),
          op: Joi.string()
            .valid(...screenOps)
            .required(),
          right: name().required(),
        }),
      )
      .min(screenConditions.min)
      .max(screenConditions.max)
      .required(),
    join: Joi.string().valid('and', 'or').default('and'),
    sortBy: name().allow(null).default(null),
    limit: Joi.number().integer().min(1).max(100).default(25),
  }),
});
