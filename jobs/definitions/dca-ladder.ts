import Joi from 'joi';
import { decimalPattern } from '../../compute/model/decimal.js';
import type { DcaLadderParams } from '../../compute/risk/dca-ladder.js';
import { defineParamsJob } from './shared/params-job.js';

const decimal = Joi.string().pattern(decimalPattern);

/** What a ladder of buys costs and needs after each fill. */
export const dcaLadderJob = defineParamsJob({
  name: 'dca-ladder',
  params: Joi.object<DcaLadderParams, true>({
    firstPrice: decimal.required(),
    firstAmount: decimal.required(),
    levels: Joi.array()
      .items(Joi.object({ buyPrice: decimal.required(), multiplier: decimal.required() }))
      .min(1)
      .max(20)
      .required(),
    stop: decimal.allow(null).default(null),
    feePercent: decimal.default('0.1'),
    step: decimal.default('0.00000001'),
  }),
});
