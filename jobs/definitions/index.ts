import type { Job } from '../job.js';
import { backtestJob } from './backtest.js';
import { coreLineJob } from './core-line.js';
import { dcaLadderJob } from './dca-ladder.js';
import { performanceJob } from './performance.js';
import { positionSizeJob } from './position-size.js';
import { recurringBuyJob } from './recurring-buy.js';
import { seasonalityJob } from './seasonality.js';
import { similarHistoryJob } from './similar-history.js';
import { tailRiskJob } from './tail-risk.js';
import { targetProbabilityJob } from './target-probability.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  backtestJob,
  coreLineJob,
  dcaLadderJob,
  performanceJob,
  positionSizeJob,
  recurringBuyJob,
  seasonalityJob,
  similarHistoryJob,
  tailRiskJob,
  targetProbabilityJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
