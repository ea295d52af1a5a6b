import type { Job } from '../job.js';
import { anomaliesJob } from './anomalies.js';
import { backtestJob } from './backtest.js';
import { breadthJob } from './breadth.js';
import { coreLineJob } from './core-line.js';
import { correlationMatrixJob } from './correlation-matrix.js';
import { marketOverviewJob } from './market-overview.js';
import { moversJob } from './movers.js';
import { pairRelationshipJob } from './pair-relationship.js';
import { portfolioRiskJob } from './portfolio-risk.js';
import { screenJob } from './screen.js';

/** Every job, in the order of the alphabet. */
export const jobs = [
  anomaliesJob,
  backtestJob,
  breadthJob,
  coreLineJob,
  correlationMatrixJob,
  marketOverviewJob,
  moversJob,
  pairRelationshipJob,
  portfolioRiskJob,
  screenJob,
] as const;

export type AnyJob = Job<string, unknown, unknown>;
