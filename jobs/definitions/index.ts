import type { ExchangeTools, Job, JobTools } from '../job.js';
import { allAnalyses } from '../../compute/analyses.js';
import { analysisJob } from './shared/analysis-job.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { candlestickPatternsJob } from './candlestick-patterns.js';
import { compareJob } from './compare.js';
import { coreLineJob } from './core-line.js';
import { dcaLadderJob } from './dca-ladder.js';
import { divergencesJob } from './divergences.js';
import { indicatorValuesJob } from './indicator-values.js';
import { momentumJob } from './momentum.js';
import { portfolioRiskJob } from './portfolio-risk.js';
import { refreshCoreLineJob } from './refresh-core-line.js';
import { supportResistanceJob } from './support-resistance.js';
import { sweepJob } from './sweep.js';
import { tailRiskJob } from './tail-risk.js';
import { targetProbabilityJob } from './target-probability.js';
import { technicalSummaryJob } from './technical-summary.js';
import { tradeLevelsJob } from './trade-levels.js';
import { trendJob } from './trend.js';
import { tryKeyJob } from './try-key.js';
import { volatilityJob } from './volatility.js';
import { volumeJob } from './volume.js';
import { walkForwardJob } from './walk-forward.js';

/** Every job of compute nodes: one for each analysis, and those of this folder in alphabetical order. */
const all = [
  ...allAnalyses.map(analysisJob),
  assessRiskJob,
  backtestJob,
  candlestickPatternsJob,
  compareJob,
  coreLineJob,
  dcaLadderJob,
  divergencesJob,
  indicatorValuesJob,
  momentumJob,
  portfolioRiskJob,
  refreshCoreLineJob,
  supportResistanceJob,
  sweepJob,
  tailRiskJob,
  targetProbabilityJob,
  technicalSummaryJob,
  tradeLevelsJob,
  trendJob,
  volatilityJob,
  volumeJob,
  walkForwardJob,
] as const;

export const jobs = all as unknown as readonly AnyJob[];

export type AnyJob<Tools = JobTools> = Job<string, unknown, unknown, Tools>;

/** Every job of market workers. */
export const exchangeJobs: readonly AnyJob<ExchangeTools>[] = [tryKeyJob];
