import type { ExchangeTools, Job, JobTools } from '../job.js';
import { allAnalyses } from '../../compute/analyses.js';
import { analysisJob } from './shared/analysis-job.js';
import { anomaliesJob } from './anomalies.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { breadthJob } from './breadth.js';
import { candlestickPatternsJob } from './candlestick-patterns.js';
import { coreLineJob } from './core-line.js';
import { correlationMatrixJob } from './correlation-matrix.js';
import { divergencesJob } from './divergences.js';
import { marketOverviewJob } from './market-overview.js';
import { pairRelationshipJob } from './pair-relationship.js';
import { portfolioRiskJob } from './portfolio-risk.js';
import { recurringBuyJob } from './recurring-buy.js';
import { refreshCoreLineJob } from './refresh-core-line.js';
import { scanStatesJob } from './scan-states.js';
import { screenJob } from './screen.js';
import { similarHistoryJob } from './similar-history.js';
import { supportResistanceJob } from './support-resistance.js';
import { sweepJob } from './sweep.js';
import { tradeLevelsJob } from './trade-levels.js';
import { tryKeyJob } from './try-key.js';

/** Every job of compute nodes: one for each analysis, and those of this folder in alphabetical order. */
const all = [
  ...allAnalyses.map(analysisJob),
  anomaliesJob,
  assessRiskJob,
  backtestJob,
  breadthJob,
  candlestickPatternsJob,
  coreLineJob,
  correlationMatrixJob,
  divergencesJob,
  marketOverviewJob,
  pairRelationshipJob,
  portfolioRiskJob,
  recurringBuyJob,
  refreshCoreLineJob,
  scanStatesJob,
  screenJob,
  similarHistoryJob,
  supportResistanceJob,
  sweepJob,
  tradeLevelsJob,
] as const;

export const jobs = all as unknown as readonly AnyJob[];

export type AnyJob<Tools = JobTools> = Job<string, unknown, unknown, Tools>;

/** Every job of market workers. */
export const exchangeJobs: readonly AnyJob<ExchangeTools>[] = [tryKeyJob];
