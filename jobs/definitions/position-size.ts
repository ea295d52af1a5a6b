import Joi from 'joi';
import { decimalPattern } from '../../compute/model/decimal.js';
import { tradeSides } from '../../compute/model/risk-assessment.js';
import { marginTypes, type PositionParams } from '../../compute/risk/position-size.js';
import { defineParamsJob } from './shared/params-job.js';

const decimal = Joi.string().pattern(decimalPattern);

/** How much to buy or sell for a given risk. Step, tick and least notional are the exchange's, where they are known. */
export const positionSizeJob = defineParamsJob({
  name: 'position-size',
  params: Joi.object<PositionParams, true>({
    accountSize: decimal.required(),
    riskPercent: decimal.required(),
    entry: decimal.required(),
    stop: decimal.required(),
    side: Joi.string()
      .valid(...tradeSides)
      .default('long'),
    leverage: decimal.default('1'),
    marginType: Joi.string()
      .valid(...marginTypes)
      .default('ISOLATED'),
    step: decimal.default('0.00000001'),
    tick: decimal.allow(null).default(null),
    minNotional: decimal.allow(null).default(null),
    feePercent: decimal.default('0.1'),
    maintenanceMarginPercent: decimal.default('0.5'),
  }),
});
