import { runBacktest, type Costs } from '../backtest/engine.js';
import { monteCarlo as resample, monteCarloPhases, type MonteCarloReport } from '../backtest/monte-carlo.js';
import { requireHistory } from '../backtest/require-history.js';
import { windowOf } from '../backtest/window.js';
import type { Period } from '../model/interval.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { computeTargets } from '../model/strategy.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** The settings of the backtest, how many paths are made of it, and their seed. */
export interface MonteCarloParams {
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  costs: Costs;
  paths: number;
  seed: number;
}

/** How much of a backtest's result luck could be. Throws `not_enough_history`. */
export const monteCarlo = defineTask({
  name: 'monte-carlo',
  phases: monteCarloPhases,
  run(
    { candles, interval, params: settings }: SeriesQuestion<MonteCarloParams>,
    scratch,
    onProgress,
  ): MonteCarloReport {
    const { period, params, costs } = settings;
    const strategy = strategyNamed(settings.strategy);
    requireHistory(strategy, params, candles.time.length, interval);
    const { from } = windowOf(candles.time, interval, period, strategy.ready(params));
    const run = runBacktest(
      candles,
      computeTargets(strategy, candles, params, scratch),
      from,
      costs,
      scratch,
    );
    return resample(candles, run, from, settings, onProgress);
  },
});
