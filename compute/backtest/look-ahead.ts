import { sliceCandles, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { createRandom } from '../model/random.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { computeTargets, type Strategy } from '../model/strategy.js';

/** The number of decisions that were checked. The check throws at a difference, so a result has none. */
export interface LookAheadCheck {
  candles: number;
  differences: 0;
}

const cuts = 20;

/** The result of the check for decisions that have already passed it: the same candles, strategy and parameters. */
export const passedLookAhead = (length: number, ready: number): LookAheadCheck => ({
  candles: Math.min(cuts, length - ready),
  differences: 0,
});

/**
 * Recomputes the decision at 20 random candles (fewer if fewer candles have a decision) from data that end at
 * that candle. Throws `look_ahead` where it differs from `targets`, because the strategy then used later candles.
 */
export function checkLookAhead<P extends string>(
  strategy: Strategy<P>,
  candles: Candles,
  params: Readonly<Record<P, number>>,
  targets: Int8Array,
  seed: number,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): LookAheadCheck {
  const { uint32 } = createRandom(seed);
  const ready = strategy.ready(params);
  const passed = passedLookAhead(targets.length, ready);
  for (let n = 0; n < passed.candles; n++) {
    onProgress('check', n / passed.candles);
    scratch.clear();
    const at = ready + (uint32() % (targets.length - ready));
    const alone = computeTargets(strategy, sliceCandles(candles, 0, at + 1), params, scratch);
    if (alone[at] === targets[at]) continue;
    const message = `${strategy.name} decides differently at candle ${at} when it can't see what follows`;
    throw new AppError('look_ahead', message, { details: { candle: at, time: candles.time[at] } });
  }
  return passed;
}
