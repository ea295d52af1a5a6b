import {
  portfolioRisk as assess,
  type PortfolioRisk,
  type PortfolioRiskParams,
} from '../risk/portfolio-risk.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** The risk of a portfolio before and after hypothetical trades. Throws `invalid_input`, `not_enough_history`. */
export const portfolioRisk = defineTask({
  name: 'portfolio-risk',
  run: (question: MarketQuestion<PortfolioRiskParams>): PortfolioRisk => assess(question),
});
