import Joi from 'joi';
import { periods } from '../../compute/model/interval.js';
import { strategyNames } from '../../compute/strategies/index.js';
import type { MonteCarloParams } from '../../compute/tasks/monte-carlo.js';
import { defineSeriesJob } from './shared/series-job.js';
import { costsSchema, strategyParamsSchema } from './shared/settings-schema.js';

/** How much of a backtest's result luck could be: resampled trades and candles, and random entries. */
export const monteCarloJob = defineSeriesJob({
  name: 'monte-carlo',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<MonteCarloParams, true>({
    period: Joi.string()
      .valid(...periods)
      .default('1y'),
    strategy: Joi.string()
      .valid(...strategyNames)
      .default('trend_state'),
    params: strategyParamsSchema,
    costs: costsSchema,
    paths: Joi.number().integer().min(200).max(10_000).default(2_000),
    seed: Joi.number()
      .integer()
      .min(0)
      .max(2 ** 32 - 1)
      .default(1),
  }),
});
