import Joi from 'joi';
import { defineSeriesJob } from './shared/series-job.js';

/** ATR, bandwidth, squeeze, realised volatility and regime of a pair. */
export const volatilityJob = defineSeriesJob({ name: 'volatility', params: Joi.object<object>({}) });
