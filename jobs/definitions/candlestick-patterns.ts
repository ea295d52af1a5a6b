import Joi from 'joi';
import type { CandlestickParams } from '../../compute/market/candlestick-history.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Candlestick patterns on the last candles of a pair, and what followed them so far. */
export const candlestickPatternsJob = defineSeriesJob({
  name: 'candlestick-patterns',
  params: Joi.object<CandlestickParams>({ lookback: Joi.number().integer().min(1).max(100).default(20) }),
});
