import Joi from 'joi';
import { defineMarketJob } from './shared/market-job.js';

/** A market after its newest candle: states, advancers, the trend of BTC, the strongest and the weakest. */
export const marketOverviewJob = defineMarketJob({ name: 'market-overview', params: Joi.object<object>({}) });
