import Joi from 'joi';
import type { SimilarHistoryParams } from '../../compute/tasks/similar-history.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Earlier windows of the shape of the last candles, and what followed them. */
export const similarHistoryJob = defineSeriesJob({
  name: 'similar-history',
  params: Joi.object<SimilarHistoryParams, true>({
    window: Joi.number().integer().min(10).max(120).default(30),
    matches: Joi.number().integer().min(1).max(20).default(10),
  }),
});
