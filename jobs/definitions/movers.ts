import Joi from 'joi';
import { moverRanks, moverWindows, type MoversParams } from '../../compute/market/movers.js';
import { defineMarketJob } from './shared/market-job.js';

/** Who rose, fell or traded most; the choice is of 1h candles. */
export const moversJob = defineMarketJob({
  name: 'movers',
  params: Joi.object<MoversParams>({
    window: Joi.string()
      .valid(...moverWindows)
      .default('24h'),
    rankBy: Joi.string()
      .valid(...moverRanks)
      .default('gain'),
    minQuoteVolume: Joi.number().min(0).default(0),
    limit: Joi.number().integer().min(1).max(50).default(10),
  }),
});
