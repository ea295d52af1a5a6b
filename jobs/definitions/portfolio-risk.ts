import Joi from 'joi';
import type { PortfolioRiskParams } from '../../compute/risk/portfolio-risk.js';
import { defineMarketJob } from './shared/market-job.js';

/** More positions than anybody holds. */
const mostPositions = 500;

/** The risk of a portfolio; the choice is of 1d candles of all its assets, the quote currency aside, and of BTC. */
export const portfolioRiskJob = defineMarketJob({
  name: 'portfolio-risk',
  params: Joi.object<PortfolioRiskParams>({
    positions: Joi.array()
      .items(Joi.object({ asset: Joi.string().required(), quantity: Joi.number().required() }))
      .max(mostPositions)
      .required(),
    changes: Joi.array()
      .items(Joi.object({ asset: Joi.string().required(), quantityDelta: Joi.number().required() }))
      .max(20)
      .default([]),
  }),
});
