import type { ExchangeTools, Job, JobTools } from '../job.js';
import { allAnalyses } from '../../compute/analyses.js';
import { analysisJob } from './shared/analysis-job.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { calibrateRiskJob } from './calibrate-risk.js';
import { coreLineJob } from './core-line.js';
import { earlierChartJob } from './earlier-chart.js';
import { exchangeRulesJob } from './exchange-rules.js';
import { lastPriceJob } from './last-price.js';
import { luckOfRulesJob } from './luck-of-rules.js';
import { refreshCoreLineJob } from './refresh-core-line.js';
import { researchBacktestJob } from './research-backtest.js';
import { surveyRulesJob } from './survey-rules.js';
import { sweepRulesJob } from './sweep-rules.js';
import { walkRulesForwardJob } from './walk-rules-forward.js';
import { sweepJob } from './sweep.js';
import { tryKeyJob } from './try-key.js';

/** Every job of compute nodes: one for each analysis, and those of this folder in alphabetical order. */
const all = [
  ...allAnalyses.map(analysisJob),
  assessRiskJob,
  backtestJob,
  calibrateRiskJob,
  coreLineJob,
  earlierChartJob,
  luckOfRulesJob,
  refreshCoreLineJob,
  researchBacktestJob,
  surveyRulesJob,
  sweepJob,
  sweepRulesJob,
  walkRulesForwardJob,
] as const;

export const jobs = all as unknown as readonly AnyJob[];

export type AnyJob<Tools = JobTools> = Job<string, unknown, unknown, Tools>;

/** Every job of market workers. */
export const exchangeJobs = [
  exchangeRulesJob,
  lastPriceJob,
  tryKeyJob,
] as unknown as readonly AnyJob<ExchangeTools>[];
