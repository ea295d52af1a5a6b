import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import {
  viewColumns,
  viewLimits,
  stateName,
  type CoreLineView,
  type FlipStatistics,
  type ForwardReturn,
  type TrendState,
} from '../model/core-line.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { differenceOf } from '../market/picture.js';
import { known } from '../market/read-at.js';
import { readPicture } from '../market/technical-summary.js';
import { defineTask, type SeriesQuestion } from '../task.js';
import { computeCoreLine, type CoreLine } from './states.js';
import type { Interval } from '../model/interval.js';
import { currentState } from './current-state.js';
import { describeFlip } from './describe-flip.js';
import { flipPrice } from './flip-price.js';
import { coreLineParams } from './rule.js';
import { meanInterval, skewedMeanInterval } from '../metrics/mean-interval.js';
import { median } from '../metrics/quantile.js';

const horizons = [5, 10, 20, 60] as const;
const states: TrendState[] = ['accumulate', 'wait', 'distribute'];

/** How the intervals are made, for readers of the answer. */
const flipMethod =
  "durations: Hall's interval of a skewed mean (1992); returns: Student's; returns that overlap an earlier one after the same kind of flip are left out, since only returns over different candles are independent";

/**
 * The durations of states, and the returns after each kind of flip, over the whole history. The present state and flips
 * more recent than a horizon are left out, and so are flips within a horizon of the last one that counts: returns over
 * the same candles are no independent values (Hansen and Hodrick, 1980).
 */
export function flipStatistics(close: Float64Array, state: Int8Array): FlipStatistics {
  const flips = flipIndexes(state);
  const lasted = new Map(states.map((name) => [name, [] as number[]]));
  flips.slice(1).forEach((at, n) => lasted.get(stateName(state[flips[n]])!)!.push(at - flips[n]));
  const durations = states.map((name) => {
    return { state: name, ...skewedMeanInterval(lasted.get(name)!), median: median(lasted.get(name)!) };
  });
  return { durations, forwardReturns: forwardReturns(close, state, flips), method: flipMethod };
}

function forwardReturns(close: Float64Array, state: Int8Array, flips: number[]): ForwardReturn[] {
  const kinds = new Map<string, number[]>();
  for (const at of flips) {
    const kind = `${stateName(state[at - 1])} ${stateName(state[at])}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), at]);
  }
  return [...kinds.keys()].sort().flatMap((kind) => {
    const [from, to] = kind.split(' ') as [TrendState, TrendState];
    return horizons.map((candles) => {
      const old = kinds.get(kind)!.filter((at) => at + candles < close.length);
      const returns = withoutOverlap(old, candles).map((at) => (close[at + candles] / close[at] - 1) * 100);
      return { from, to, candles, seen: old.length, ...meanInterval(returns), median: median(returns) };
    });
  });
}

/** The first of the ascending indexes, and each that is at least `distance` behind the last one taken. */
export function withoutOverlap(indexes: readonly number[], distance: number): number[] {
  let free = -Infinity;
  return indexes.filter((at) => {
    if (at < free) return false;
    free = at + distance;
    return true;
  });
}

/** Indexes of the candles on which the state changed. The first state of a series is not a change. */
export function flipIndexes(state: Int8Array): number[] {
  const indexes: number[] = [];
  for (let i = coreLineParams.readyIndex + 1; i < state.length; i++) {
    if (state[i] !== state[i - 1]) indexes.push(i);
  }
  return indexes;
}

interface CoreLineInput {
  /** All closed candles of the series, at least one. */
  candles: Candles;
  interval: Interval;
}

/** The trend state of a series, its chart and its flips. */
export const coreLineTask = defineTask({
  name: 'core-line',
  run: ({ candles, interval }: CoreLineInput, scratch): CoreLineView =>
    viewCoreLine(candles, interval, scratch),
});

/** The columns of a chart by name; null where the warm-up has no value. */
type EarlierColumns = Record<(typeof viewColumns)[number], (number | null)[]>;

/** The last candles that opened before a time, with core line, band and states as they were after each. */
export const earlierChartTask = defineTask({
  name: 'earlier-chart',
  run(
    { candles, params }: SeriesQuestion<{ beforeMs: number; limit: number }>,
    scratch = new ScratchBuffers(),
  ): EarlierColumns {
    const to = firstCandleFrom(candles.time, params.beforeMs);
    const columns = drawnColumns(
      candles,
      computeCoreLine(candles, scratch),
      Math.max(0, to - params.limit),
      to,
    );
    const lists = viewColumns.map((name) => [name, Array.from(columns[name], known)] as const);
    return Object.fromEntries(lists) as EarlierColumns;
  },
});

/** The view of a series of at least one candle. */
export function viewCoreLine(candles: Candles, interval: Interval, scratch?: ScratchBuffers): CoreLineView {
  const coreLine = computeCoreLine(candles, scratch);
  const { state } = coreLine;
  const now = currentState(candles, state, interval);
  const end = candles.time.length;
  const changes = flipIndexes(state);
  const recent = changes.slice(-viewLimits.flips);
  return {
    ...now,
    flipPrice: flipPrice(candles, coreLine),
    readingsDiffer:
      now.state && differenceOf(readPicture({ candles, interval, params: {} }, scratch, coreLine)),
    columns: drawnColumns(candles, coreLine, Math.max(0, end - viewLimits.candles), end),
    statistics: flipStatistics(candles.close, state),
    flips: recent.map((at, n) => describeFlip(candles, coreLine, at, recent[n + 1] ?? null)).reverse(),
  };
}

/** The candles from one place to another, with what is drawn beside them. */
function drawnColumns(
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
