import Joi from 'joi';
import type { Costs } from '../../../compute/backtest/engine.js';
import type { ParameterGrid } from '../../../compute/backtest/parameter-grid.js';

const rate = () => Joi.number().min(0).max(0.1);

/** What trading costs on each side, as fractions: 0.1 % and 0.05 % unless told otherwise. */
export const costsSchema = Joi.object<Costs, true>({
  feeRate: rate().default(0.001),
  slippageRate: rate().default(0.0005),
}).default();

/** The parameters of a strategy by name; their ranges are the strategy's. */
export const strategyParamsSchema = Joi.object<Record<string, number>>()
  .pattern(Joi.string(), Joi.number())
  .default({});

/** The values of each parameter to be tried; their ranges are the strategy's. */
export const gridSchema = Joi.object<ParameterGrid>().pattern(
  Joi.string(),
  Joi.array().items(Joi.number()).min(1).max(1_000),
);
