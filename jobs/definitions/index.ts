import type { Job } from '../job.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { candlestickPatternsJob } from './candlestick-patterns.js';
import { compareJob } from './compare.js';
import { coreLineJob } from './core-line.js';
import { divergencesJob } from './divergences.js';
import { indicatorValuesJob } from './indicator-values.js';
import { momentumJob } from './momentum.js';
import { monteCarloJob } from './monte-carlo.js';
import { supportResistanceJob } from './support-resistance.js';
import { sweepJob } from './sweep.js';
import { technicalSummaryJob } from './technical-summary.js';
import { tradeLevelsJob } from './trade-levels.js';
import { trendJob } from './trend.js';
import { volatilityJob } from './volatility.js';
import { volumeJob } from './volume.js';
import { walkForwardJob } from './walk-forward.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  assessRiskJob,
  backtestJob,
  candlestickPatternsJob,
  compareJob,
  coreLineJob,
  divergencesJob,
  indicatorValuesJob,
  momentumJob,
  monteCarloJob,
  supportResistanceJob,
  sweepJob,
  technicalSummaryJob,
  tradeLevelsJob,
  trendJob,
  volatilityJob,
  volumeJob,
  walkForwardJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
