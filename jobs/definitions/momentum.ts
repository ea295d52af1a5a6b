import Joi from 'joi';
import { defineSeriesJob } from './shared/series-job.js';

/** RSI, MACD, Stochastic and CCI of a pair. */
export const momentumJob = defineSeriesJob({ name: 'momentum', params: Joi.object<object>({}) });
