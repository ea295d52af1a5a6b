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
import { computeCoreLine, type CoreLine } from './states.js';

/** The view of a series of at least one candle. */
export function viewCoreLine(candles: Candles, interval: Interval, scratch?: ScratchBuffers): CoreLineView {
  const coreLine = computeCoreLine(candles, scratch);
  const { state } = coreLine;
  const end = candles.time.length;
  const changes = flipIndexes(state);
  const recent = changes.slice(-viewLimits.flips);
  return {
    ...currentState(candles, state, interval),
    flipPrice: flipPrice(candles, coreLine),
    columns: drawnColumns(candles, coreLine, Math.max(0, end - viewLimits.candles), end),
    statistics: flipStatistics(candles.close, state),
    flips: recent.map((at, n) => describeFlip(candles, coreLine, at, recent[n + 1] ?? null)).reverse(),
  };
}

/** The candles from one place to another, with what is drawn beside them. */
export function drawnColumns(
  candles: Candles,
  { line, atr, state }: CoreLine,
  from: number,
  to: number,
): CoreLineView['columns'] {
  const edge = (side: number) =>
    line.slice(from, to).map((value, i) => value + side * coreLineParams.bandWidth * atr[from + i]);
  return {
    ...sliceCandles(candles, from, to),
    line: line.slice(from, to),
    upper: edge(1),
    lower: edge(-1),
    state: Float64Array.from(state.subarray(from, to)),
  };
}
