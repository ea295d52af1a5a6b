import Joi from 'joi';
import { defineSeriesJob } from './shared/series-job.js';

/** The votes of all indicators of a pair, a verdict and its conflicts. */
export const technicalSummaryJob = defineSeriesJob({
  name: 'technical-summary',
  params: Joi.object<object>({}),
});
