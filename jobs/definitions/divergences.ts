import Joi from 'joi';
import type { DivergenceParams } from '../../compute/market/divergences.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Divergences between price and RSI, MACD or OBV of a pair. */
export const divergencesJob = defineSeriesJob({
  name: 'divergences',
  params: Joi.object<DivergenceParams>({ lookback: Joi.number().integer().min(1).max(300).default(120) }),
});
