import { candleColumns, sliceCandles, type Candles } from '../model/candles.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { Room } from '../model/room.js';
import { describeFlip, type FlipView } from './flips.js';
import { computeCoreLine, coreLineParams, stateCode, stateName, type TrendState } from './states.js';

export type { FlipView } from './flips.js';

/** How much of the past a view keeps. */
export const viewLimits = { candles: 1000, flips: 200 } as const;

export const viewColumns = [...candleColumns, 'line', 'upper', 'lower', 'state'] as const;

/** The trend state of a series after its last closed candle, and its recent past. Times in ms, UTC. */
export interface CoreLineView {
  /** Null before the rule is ready (fewer than 61 candles). */
  state: TrendState | null;
  /** Open time of the candle since which the state holds. */
  since: number | null;
  /** Close of the last candle. */
  price: number;
  /** Close time of the last candle: what the view knows ends there. */
  asOf: number;
  /** The last 1,000 candles with line, band edges and state code; NaN before the warm-up. */
  columns: Record<(typeof viewColumns)[number], Float64Array>;
  /** The last 200 flips, newest first. */
  flips: FlipView[];
}

/** The view of a series of at least one candle. */
export function viewCoreLine(candles: Candles, interval: Interval, room?: Room): CoreLineView {
  const coreLine = computeCoreLine(candles, room);
  const { line, atr, state } = coreLine;
  const last = candles.time.length - 1;
  const changes = flipIndexes(state);
  const from = Math.max(0, last + 1 - viewLimits.candles);
  const edge = (side: number) =>
    line.slice(from).map((value, i) => value + side * coreLineParams.bandWidth * atr[from + i]);
  const recent = changes.slice(-viewLimits.flips);
  return {
    state: stateName(state[last]),
    since: state[last] === stateCode.none ? null : candles.time[changes.at(-1) ?? coreLineParams.readyIndex],
    price: candles.close[last],
    asOf: candles.time[last] + intervalMs(interval),
    columns: {
      ...sliceCandles(candles, from, last + 1),
      line: line.slice(from),
      upper: edge(1),
      lower: edge(-1),
      state: Float64Array.from(state.subarray(from)),
    },
    flips: recent.map((at, n) => describeFlip(candles, coreLine, at, recent[n + 1] ?? null)).reverse(),
  };
}

/** Indexes of the candles on which the state changed. The first state of all is no change. */
export function flipIndexes(state: Int8Array): number[] {
  const indexes: number[] = [];
  for (let i = coreLineParams.readyIndex + 1; i < state.length; i++)
    if (state[i] !== state[i - 1]) indexes.push(i);
  return indexes;
}
