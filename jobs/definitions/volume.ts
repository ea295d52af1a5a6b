import Joi from 'joi';
import { defineSeriesJob } from './shared/series-job.js';

/** Volume against its past, flows, averages by volume and the value area of a pair. */
export const volumeJob = defineSeriesJob({ name: 'volume', params: Joi.object<object>({}) });
