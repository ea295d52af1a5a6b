import Joi from 'joi';
import type { Costs } from '../../../compute/backtest/engine.js';
import { costsOf, usualCosts } from '../../../compute/backtest/trading-costs.js';

const usual = costsOf(usualCosts);

const rate = () => Joi.number().min(0).max(0.1);

/** The costs of trading on each side, as fractions; by default the usual ones. */
export const costsSchema = Joi.object<Costs, true>({
  feeRate: rate().default(usual.feeRate),
  slippageRate: rate().default(usual.slippageRate),
}).default();
