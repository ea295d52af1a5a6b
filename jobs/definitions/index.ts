import type { Job } from '../job.js';
import { anomaliesJob } from './anomalies.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { breadthJob } from './breadth.js';
import { compareJob } from './compare.js';
import { coreLineJob } from './core-line.js';
import { correlationMatrixJob } from './correlation-matrix.js';
import { dcaLadderJob } from './dca-ladder.js';
import { marketOverviewJob } from './market-overview.js';
import { monteCarloJob } from './monte-carlo.js';
import { moversJob } from './movers.js';
import { pairRelationshipJob } from './pair-relationship.js';
import { performanceJob } from './performance.js';
import { portfolioRiskJob } from './portfolio-risk.js';
import { positionSizeJob } from './position-size.js';
import { recurringBuyJob } from './recurring-buy.js';
import { scanStatesJob } from './scan-states.js';
import { screenJob } from './screen.js';
import { seasonalityJob } from './seasonality.js';
import { similarHistoryJob } from './similar-history.js';
import { sweepJob } from './sweep.js';
import { tailRiskJob } from './tail-risk.js';
import { targetProbabilityJob } from './target-probability.js';
import { trendStateJob } from './trend-state.js';
import { walkForwardJob } from './walk-forward.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  anomaliesJob,
  assessRiskJob,
  backtestJob,
  breadthJob,
  compareJob,
  coreLineJob,
  correlationMatrixJob,
  dcaLadderJob,
  marketOverviewJob,
  monteCarloJob,
  moversJob,
  pairRelationshipJob,
  performanceJob,
  portfolioRiskJob,
  positionSizeJob,
  recurringBuyJob,
  scanStatesJob,
  screenJob,
  seasonalityJob,
  similarHistoryJob,
  sweepJob,
  tailRiskJob,
  targetProbabilityJob,
  trendStateJob,
  walkForwardJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
