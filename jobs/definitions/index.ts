import type { ExchangeTools, Job, JobTools } from '../job.js';
import { anomaliesJob } from './anomalies.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { breadthJob } from './breadth.js';
import { candlestickPatternsJob } from './candlestick-patterns.js';
import { compareJob } from './compare.js';
import { coreLineJob } from './core-line.js';
import { correlationMatrixJob } from './correlation-matrix.js';
import { dcaLadderJob } from './dca-ladder.js';
import { divergencesJob } from './divergences.js';
import { indicatorValuesJob } from './indicator-values.js';
import { marketOverviewJob } from './market-overview.js';
import { momentumJob } from './momentum.js';
import { monteCarloJob } from './monte-carlo.js';
import { moversJob } from './movers.js';
import { pairRelationshipJob } from './pair-relationship.js';
import { performanceJob } from './performance.js';
import { portfolioRiskJob } from './portfolio-risk.js';
import { positionSizeJob } from './position-size.js';
import { recurringBuyJob } from './recurring-buy.js';
import { refreshCoreLineJob } from './refresh-core-line.js';
import { scanStatesJob } from './scan-states.js';
import { screenJob } from './screen.js';
import { seasonalityJob } from './seasonality.js';
import { similarHistoryJob } from './similar-history.js';
import { supportResistanceJob } from './support-resistance.js';
import { sweepJob } from './sweep.js';
import { tailRiskJob } from './tail-risk.js';
import { targetProbabilityJob } from './target-probability.js';
import { technicalSummaryJob } from './technical-summary.js';
import { tradeLevelsJob } from './trade-levels.js';
import { trendJob } from './trend.js';
import { trendStateJob } from './trend-state.js';
import { tryKeyJob } from './try-key.js';
import { volatilityJob } from './volatility.js';
import { volumeJob } from './volume.js';
import { walkForwardJob } from './walk-forward.js';

/** Every job of compute nodes, in the order of the alphabet. */
export const jobs = [
  anomaliesJob,
  assessRiskJob,
  backtestJob,
  breadthJob,
  candlestickPatternsJob,
  compareJob,
  coreLineJob,
  correlationMatrixJob,
  dcaLadderJob,
  divergencesJob,
  indicatorValuesJob,
  marketOverviewJob,
  momentumJob,
  monteCarloJob,
  moversJob,
  pairRelationshipJob,
  performanceJob,
  portfolioRiskJob,
  positionSizeJob,
  recurringBuyJob,
  refreshCoreLineJob,
  scanStatesJob,
  screenJob,
  seasonalityJob,
  similarHistoryJob,
  supportResistanceJob,
  sweepJob,
  tailRiskJob,
  targetProbabilityJob,
  technicalSummaryJob,
  tradeLevelsJob,
  trendJob,
  trendStateJob,
  volatilityJob,
  volumeJob,
  walkForwardJob,
] as const;

export type AnyJob<Tools = JobTools> = Job<string, unknown, unknown, Tools>;

/** Every job of market workers. */
export const exchangeJobs: readonly AnyJob<ExchangeTools>[] = [tryKeyJob];
