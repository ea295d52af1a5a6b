import { analyses } from './analyses.js';
import { backtestTask } from './backtest/backtest-task.js';
import { coreLineTask, earlierChartTask } from './core-line/core-line-tasks.js';
import { decideTask } from './backtest/decide-task.js';
import { decideRulesTask } from './backtest/decide-rules-task.js';
import { luckOfRulesTask } from './backtest/luck-of-rules-task.js';
import { surveyRulesTask } from './backtest/survey-rules-task.js';
import { sweepRulesTask } from './backtest/sweep-rules-task.js';
import { walkRulesForwardTask } from './backtest/walk-rules-forward-task.js';
import { sweepTask } from './backtest/sweep.js';
import { tradeRulesTask } from './backtest/trade-rules-task.js';
import { defineTask } from './task.js';
import { sumLabels, type LabelSums, type LabelSumsInput } from './risk/label-sums.js';
import type { RiskAssessment } from './model/risk-assessment.js';
import { assessTrade, type RiskInput } from './risk/assess-risk.js';

/** The risk of a trade on one side after the last closed 1h candle. Throws `not_enough_history`. */
export const assessRiskTask = defineTask({
  name: 'assess-risk',
  run: (input: RiskInput, scratch): RiskAssessment => assessTrade(input, scratch),
});

/** The adverse moves after the labels of all past hours of one asset, summed by periods. */
const calibrateRiskTask = defineTask({
  name: 'calibrate-risk',
  run: (input: LabelSumsInput, scratch): LabelSums => sumLabels(input, scratch),
});

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
