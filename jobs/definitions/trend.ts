import Joi from 'joi';
import { defineSeriesJob } from './shared/series-job.js';

/** ADX, stops, cloud and moving averages of a pair. */
export const trendJob = defineSeriesJob({ name: 'trend', params: Joi.object<object>({}) });
