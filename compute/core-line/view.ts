import { sliceCandles, type Candles } from '../model/candles.js';
import { viewLimits, type CoreLineView } from '../model/core-line.js';
import type { Interval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { currentState } from './current-state.js';
import { describeFlip } from './describe-flip.js';
import { flipIndexes } from './flip-indexes.js';
import { flipPrice } from './flip-price.js';
import { flipStatistics } from './flip-statistics.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

/** The view of a series of at least one candle. */
export function viewCoreLine(candles: Candles, interval: Interval, scratch?: ScratchBuffers): CoreLineView {
  const coreLine = computeCoreLine(candles, scratch);
  const { line, atr, state } = coreLine;
  const last = candles.time.length - 1;
  const changes = flipIndexes(state);
  const from = Math.max(0, last + 1 - viewLimits.candles);
  const edge = (side: number) =>
    line.slice(from).map((value, i) => value + side * coreLineParams.bandWidth * atr[from + i]);
  const recent = changes.slice(-viewLimits.flips);
  return {
    ...currentState(candles, state, interval),
    flipPrice: flipPrice(candles, coreLine),
    columns: {
      ...sliceCandles(candles, from, last + 1),
      line: line.slice(from),
      upper: edge(1),
      lower: edge(-1),
      state: Float64Array.from(state.subarray(from)),
    },
    statistics: flipStatistics(candles.close, state),
    flips: recent.map((at, n) => describeFlip(candles, coreLine, at, recent[n + 1] ?? null)).reverse(),
  };
}
