import { analyses } from '../analyses.js';
import { assessRisk } from './assess-risk.js';
import { backtest } from './backtest.js';
import { candlestickPatterns } from './candlestick-patterns.js';
import { compare } from './compare.js';
import { coreLine } from './core-line.js';
import { dcaLadder } from './dca-ladder.js';
import { decide } from './decide.js';
import { divergences } from './divergences.js';
import { indicatorValues } from './indicator-values.js';
import { momentum } from './momentum.js';
import { portfolioRisk } from './portfolio-risk.js';
import { supportResistance } from './support-resistance.js';
import { sweep } from './sweep.js';
import { tailRisk } from './tail-risk.js';
import { targetProbability } from './target-probability.js';
import { technicalSummary } from './technical-summary.js';
import { tradeLevels } from './trade-levels.js';
import { trend } from './trend.js';
import { volatility } from './volatility.js';
import { volume } from './volume.js';
import { walkForward } from './walk-forward.js';

/** Everything a thread can be asked, in the order of the alphabet. */
export const tasks = [
  ...analyses,
  assessRisk,
  backtest,
  candlestickPatterns,
  compare,
  coreLine,
  dcaLadder,
  decide,
  divergences,
  indicatorValues,
  momentum,
  portfolioRisk,
  supportResistance,
  sweep,
  tailRisk,
  targetProbability,
  technicalSummary,
  tradeLevels,
  trend,
  volatility,
  volume,
  walkForward,
] as const;

export type AnyTask = (typeof tasks)[number];

export type TaskName = AnyTask['name'];

/** What the task of that name takes and gives. */
export type TaskInput<Name extends TaskName> = Parameters<Extract<AnyTask, { name: Name }>['run']>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Extract<AnyTask, { name: Name }>['run']>;
