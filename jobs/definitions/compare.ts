import Joi from 'joi';
import {
  type ComparedStrategy,
  type CompareParams,
  mostCombinations,
} from '../../compute/backtest/compare.js';
import { periods } from '../../compute/model/interval.js';
import { strategyNames } from '../../compute/strategies/index.js';
import { defineMarketJob } from './shared/market-job.js';
import { costsSchema, strategyParamsSchema } from './shared/settings-schema.js';

/** Several strategies on several assets under the same settings, ranked. */
export const compareJob = defineMarketJob({
  name: 'compare',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<CompareParams, true>({
    strategies: Joi.array()
      .items(
        Joi.object<ComparedStrategy, true>({
          name: Joi.string()
            .valid(...strategyNames)
            .required(),
          params: strategyParamsSchema,
        }),
      )
      .min(1)
      .max(mostCombinations)
      .required(),
    period: Joi.string()
      .valid(...periods)
      .default('1y'),
    costs: costsSchema,
  }),
});
