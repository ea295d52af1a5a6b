import Joi from 'joi';
import type { WalkForwardParams } from '../../compute/backtest/walk-forward.js';
import { strategyNames } from '../../compute/strategies/index.js';
import { defineSeriesJob } from './shared/series-job.js';
import { costsSchema, gridSchema } from './shared/settings-schema.js';

/** Fits a strategy on each training stretch of a pair's history and scores it on the test after it. */
export const walkForwardJob = defineSeriesJob({
  name: 'walk-forward',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<WalkForwardParams, true>({
    strategy: Joi.string()
      .valid(...strategyNames)
      .default('trend_state'),
    grid: gridSchema.allow(null).default(null),
    folds: Joi.number().integer().min(2).max(10).default(5),
    trainRatio: Joi.number().min(0.5).max(0.9).default(0.7),
    costs: costsSchema,
  }),
});
