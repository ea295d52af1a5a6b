import Joi from 'joi';
import type { PairRelationshipParams } from '../../compute/market/pair-relationship.js';
import { defineMarketJob } from './shared/market-job.js';

/** An asset, the first of the choice, and a second in depth. */
export const pairRelationshipJob = defineMarketJob({
  name: 'pair-relationship',
  params: Joi.object<PairRelationshipParams>({
    window: Joi.number().integer().min(30).max(730).default(180),
  }),
});
