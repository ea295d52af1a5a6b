import type { Job } from '../job.js';
import { assessRiskJob } from './assess-risk.js';
import { backtestJob } from './backtest.js';
import { compareJob } from './compare.js';
import { coreLineJob } from './core-line.js';
import { monteCarloJob } from './monte-carlo.js';
import { scanStatesJob } from './scan-states.js';
import { sweepJob } from './sweep.js';
import { trendStateJob } from './trend-state.js';
import { walkForwardJob } from './walk-forward.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  assessRiskJob,
  backtestJob,
  compareJob,
  coreLineJob,
  monteCarloJob,
  scanStatesJob,
  sweepJob,
  trendStateJob,
  walkForwardJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
