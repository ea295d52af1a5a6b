import {
  backtestTask,
  type BacktestReport,
  type BacktestTaskInput,
} from '../../../compute/backtest/backtest-task.js';
import type { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { strategyNamed } from '../../../compute/strategies/index.js';

/** A backtest whose decisions are made first, as the job does it in another task. */
export function decidedBacktest(
  input: Omit<BacktestTaskInput, 'targets'>,
  scratch?: ScratchBuffers,
): BacktestReport {
  const { strategy, candles, params } = input;
  const targets = computeTargets(strategyNamed(strategy), candles, params, scratch);
  return backtestTask.run({ ...input, targets }, scratch);
}
