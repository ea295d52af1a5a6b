import type { Job } from '../job.js';
import { backtestJob } from './backtest.js';
import { candlestickPatternsJob } from './candlestick-patterns.js';
import { coreLineJob } from './core-line.js';
import { divergencesJob } from './divergences.js';
import { indicatorValuesJob } from './indicator-values.js';
import { momentumJob } from './momentum.js';
import { supportResistanceJob } from './support-resistance.js';
import { technicalSummaryJob } from './technical-summary.js';
import { tradeLevelsJob } from './trade-levels.js';
import { trendJob } from './trend.js';
import { volatilityJob } from './volatility.js';
import { volumeJob } from './volume.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  backtestJob,
  candlestickPatternsJob,
  coreLineJob,
  divergencesJob,
  indicatorValuesJob,
  momentumJob,
  supportResistanceJob,
  technicalSummaryJob,
  tradeLevelsJob,
  trendJob,
  volatilityJob,
  volumeJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
