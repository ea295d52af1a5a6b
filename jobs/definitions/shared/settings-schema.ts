import Joi from 'joi';
import type { Costs } from '../../../compute/backtest/engine.js';

const rate = () => Joi.number().min(0).max(0.1);

/** The costs of trading on each side, as fractions; by default 0.1 % and 0.05 %. */
export const costsSchema = Joi.object<Costs, true>({
  feeRate: rate().default(0.001),
  slippageRate: rate().default(0.0005),
}).default();

/** The parameters of a strategy by name; their ranges are the strategy's. */
export const strategyParamsSchema = Joi.object<Record<string, number>>()
  .pattern(Joi.string(), Joi.number())
  .default({});
