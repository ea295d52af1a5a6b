import type { Candles } from '../model/candles.js';
import type { StateOrNone } from '../model/core-line.js';
import type { Interval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { agreement, type Agreement } from './agreement.js';
import { stateOrNone } from './current-state.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

/** All closed candles of an asset on one interval. */
export interface IntervalCandles {
  interval: Interval;
  candles: Candles;
}

/** The trend state of an asset on one interval. */
export interface IntervalState extends StateOrNone {
  interval: Interval;
  /** In quote units; null before its warm-up. */
  atr: number | null;
}

/** The trend states of an asset, one per interval in the order given, and how far they agree. */
export interface TrendStates {
  intervals: IntervalState[];
  agreement: Agreement;
}

/** The trend states of one asset, each after the last closed candle of its interval. */
export function trendStates(series: readonly IntervalCandles[], scratch = new ScratchBuffers()): TrendStates {
  const intervals = series.map((each) => scratch.within(() => intervalState(each, scratch)));
  return { intervals, agreement: agreement(intervals.map(({ state }) => state)) };
}

function intervalState({ interval, candles }: IntervalCandles, scratch: ScratchBuffers): IntervalState {
  const { state, atr } = computeCoreLine(candles, scratch);
  const last = state.length - 1;
  return {
    interval,
    ...stateOrNone(candles, state, interval),
    atr: last >= coreLineParams.atrPeriod ? atr[last] : null,
  };
}
