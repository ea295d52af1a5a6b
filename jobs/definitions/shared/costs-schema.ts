import Joi from 'joi';
import type { Costs } from '../../../compute/backtest/engine.js';
import { costsOf, defaultCosts } from '../../../compute/backtest/trading-costs.js';

const defaults = costsOf(defaultCosts);

const rate = () => Joi.number().min(0).max(0.1);

/** The costs of trading on each side, as fractions; a request may leave them out. */
export const costsSchema = Joi.object<Costs, true>({
  feeRate: rate().default(defaults.feeRate),
  slippageRate: rate().default(defaults.slippageRate),
}).default();
