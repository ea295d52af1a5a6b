import { analyses } from './analyses.js';
import { backtestTask } from './backtest/backtest-task.js';
import { coreLineTask } from './core-line/core-line-task.js';
import { earlierChartTask } from './core-line/earlier-chart-task.js';
import { decideTask } from './backtest/decide-task.js';
import { luckOfRulesTask } from './backtest/luck-of-rules-task.js';
import { decideRulesTask } from './backtest/decide-rules-task.js';
import { assessRiskTask } from './risk/assess-risk-task.js';
import { calibrateRiskTask } from './risk/calibrate-risk-task.js';
import { surveyRulesTask } from './backtest/survey-rules-task.js';
import { sweepRulesTask } from './backtest/sweep-rules-task.js';
import { walkRulesForwardTask } from './backtest/walk-rules-forward-task.js';
import { sweepTask } from './backtest/sweep-task.js';
import { tradeRulesTask } from './backtest/trade-rules-task.js';

/** Every task that a thread runs: one for each analysis, and those that jobs of their own call. */
export const tasks = [
  ...analyses,
  assessRiskTask,
  backtestTask,
  calibrateRiskTask,
  coreLineTask,
  decideTask,
  decideRulesTask,
  earlierChartTask,
  luckOfRulesTask,
  surveyRulesTask,
  sweepTask,
  sweepRulesTask,
  tradeRulesTask,
  walkRulesForwardTask,
] as const;

export type AnyTask = (typeof tasks)[number];

export type TaskName = AnyTask['name'];

/** What the task of that name takes and gives. */
export type TaskInput<Name extends TaskName> = Parameters<Extract<AnyTask, { name: Name }>['run']>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Extract<AnyTask, { name: Name }>['run']>;
