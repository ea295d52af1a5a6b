import { checkLookAhead } from './look-ahead.js';
import { requireHistory } from './require-history.js';
import type { Candles } from '../model/candles.js';
import type { Interval } from '../model/interval.js';
import { ignoreProgress, reportPart } from '../model/progress.js';
import { strategyNamed, type StrategyName } from '../strategies/index.js';
import { defineTask } from '../task.js';

export interface DecideInput {
  /** All closed candles of the series. */
  candles: Candles;
  interval: Interval;
  strategy: StrategyName;
  params: Record<string, number>;
  /** Seed of the look-ahead check. */
  seed: number;
}

/**
 * What a strategy wants on the close of every candle, in shared memory, after it has passed the look-ahead check.
 * The decisions depend on candles and parameters alone, so one result serves every window and cost. Throws `not_enough_history`, `look_ahead`.
 */
export const decideTask = defineTask({
  name: 'decide',
  phases: ['decide', 'check'],
  run(
    { candles, interval, strategy: name, params, seed }: DecideInput,
    scratch,
    onProgress = ignoreProgress,
  ): Int8Array {
    const strategy = strategyNamed(name);
    requireHistory(strategy, params, candles.time.length, interval);
    onProgress('decide', 0.01);
    const targets = new Int8Array(new SharedArrayBuffer(candles.time.length));
    strategy.fill(candles, params, targets, scratch);
    checkLookAhead(strategy, candles, params, targets, seed, scratch, reportPart(onProgress, 0.1, 1));
    return targets;
  },
});
