import Joi from 'joi';
import { defineMarketJob } from './shared/market-job.js';

/** The trend state of many pairs at once, for tables that filter and sort it. */
export const scanStatesJob = defineMarketJob({
  name: 'scan-states',
  queue: 'scan',
  params: Joi.object<object>().max(0),
});
