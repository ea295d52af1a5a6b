import {
  walkForward as walk,
  walkForwardPhases,
  type WalkForwardParams,
  type WalkForwardReport,
} from '../backtest/walk-forward.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** The out-of-sample check of a strategy over the whole history of a pair. Throws `not_enough_history`. */
export const walkForward = defineTask({
  name: 'walk-forward',
  phases: walkForwardPhases,
  run: (
    { candles, interval, params }: SeriesQuestion<WalkForwardParams>,
    scratch,
    onProgress,
  ): WalkForwardReport => walk(candles, interval, params, scratch, onProgress),
});
